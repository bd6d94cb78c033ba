package dev.vigil.gateway.wiring;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.jetstream.RepairLog.Repaired;
import java.time.Clock;
import java.time.Instant;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;

/** Records a repair of the cluster, with an entry in the audit trail. */
@Component
final class RepairAudit {
  /**
   * @param gateway that repaired the cluster
   */
  record RepairRecord(String gateway, Instant at, long lost, long stored, long overtaken) {}

  /** The store has repaired the cluster when it is opened. */
  RepairAudit(
      GatewayStore store,
      ClusterRepairs repairs,
      Records records,
      ClusterProperties cluster,
      Clock clock) {
    repairs.repair().ifPresent(done -> record(done, records, cluster.gateway(), clock.instant()));
  }

  private static void record(Repaired done, Records records, String gateway, Instant at) {
    RecordSet<RepairRecord> set = records.of("cluster-repair", RepairRecord.class);
    Audit audit =
        new Audit(
            "gateway",
            "%s repaired the cluster: %d changes were lost, %d are stored again, %d values were overtaken"
                .formatted(gateway, done.lost(), done.stored(), done.overtaken()),
            "");
    RepairRecord entry =
        new RepairRecord(gateway, at, done.lost(), done.stored(), done.overtaken());
    set.put(gateway, entry, OptionalLong.empty(), audit);
  }
}
