package dev.vigil.gateway.store.sqlite.rows;

import dev.vigil.store.Fact;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A change of one endpoint with the sequence number of its batch, which the feed does not have.
 *
 * @param sequence of its batch; 0 if the batch had none
 * @param high H of the endpoint after the change
 * @param facts the facts that are still kept, including those that clear a slot
 */
public record KeptChange(
    long position, Instant at, long sequence, long high, long version, List<Fact> facts) {

  public KeptChange {
    facts = List.copyOf(facts);
  }

  /** The slots of which older facts may be kept elsewhere. */
  public static List<String> slotsWithOlder(List<KeptChange> changes) {
    return changes.stream()
        .flatMap(change -> change.facts().stream())
        .filter(Fact::keepsOlder)
        .map(Fact::slot)
        .distinct()
        .toList();
  }

  /** A fact that left the feed, whose H and version are not known. */
  public static KeptChange older(
      long position, Instant at, long sequence, String slot, byte[] body) {
    return new KeptChange(
        position, at, sequence, sequence, 0, List.of(new Fact(slot, 1, true, body)));
  }

  /** Reads rows with the columns of {@link FactRow}, in the order of the feed. */
  public static List<KeptChange> read(ResultSet row) throws SQLException {
    List<FactRow> rows = new ArrayList<>();
    while (row.next()) {
      rows.add(FactRow.read(row));
    }
    Map<Long, List<FactRow>> byPosition =
        rows.stream()
            .collect(Collectors.groupingBy(FactRow::position, TreeMap::new, Collectors.toList()));
    return byPosition.values().stream()
        .map(KeptChange::ofOne)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static KeptChange ofOne(List<FactRow> rows) {
    FactRow first = rows.getFirst();
    return new KeptChange(
        first.position(),
        Microseconds.toInstant(first.at()),
        first.sequence(),
        first.high(),
        first.version(),
        rows.stream().filter(FactRow::hasSlot).map(FactRow::fact).toList());
  }
}
