package dev.vigil.gateway.wiring;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.duties.Repairs;
import dev.vigil.gateway.duties.Repairs.RepairRecord;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.jetstream.RepairLog.Repaired;
import java.time.Clock;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** Records a repair of the cluster, with an entry in the audit trail. */
@Component
final class RepairAudit {
  /** The store comes first, because a repair is complete once the store is open. */
  RepairAudit(
      GatewayStore store,
      ClusterRepairs found,
      Repairs repairs,
      ClusterProperties cluster,
      Clock clock) {
    found.repair().ifPresent(done -> record(done, repairs, cluster.gateway(), clock.instant()));
  }

  private static void record(Repaired done, Repairs repairs, String gateway, Instant at) {
    Audit audit =
        new Audit(
            "gateway",
            "%s repaired the cluster: %d changes were lost, %d are stored again, %d values were overtaken%s"
                .formatted(
                    gateway,
                    done.lost(),
                    done.stored(),
                    done.overtaken(),
                    done.damaged() ? "; its replica was damaged" : ""),
            "");
    repairs.note(
        new RepairRecord(gateway, at, done.lost(), done.stored(), done.overtaken(), done.damaged()),
        audit);
  }
}
