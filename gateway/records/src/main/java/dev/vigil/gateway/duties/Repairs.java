package dev.vigil.gateway.duties;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;

/** The newest repair of the cluster by each gateway. Any thread may use it. */
@Component
public final class Repairs {
  private final RecordSet<RepairRecord> records;

  /**
   * @param gateway that repaired the cluster
   * @param lost changes that the servers had lost
   * @param stored changes that it has stored again
   * @param overtaken values that newer ones had superseded
   * @param damaged whether its replica was damaged and has been filled again
   */
  public record RepairRecord(
      String gateway, Instant at, long lost, long stored, long overtaken, boolean damaged) {}

  Repairs(Records records) {
    this.records = records.of("cluster-repair", RepairRecord.class);
  }

  /** Stores a repair soon; does not wait. */
  public void note(RepairRecord repair, Audit audit) {
    records.put(repair.gateway(), repair, OptionalLong.empty(), audit);
  }

  public List<RepairRecord> since(Instant begin) {
    return records.all().stream()
        .map(Versioned::value)
        .filter(repair -> repair.at().isAfter(begin))
        .toList();
  }
}
