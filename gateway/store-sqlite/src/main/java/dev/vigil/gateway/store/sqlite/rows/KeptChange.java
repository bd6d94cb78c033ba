package dev.vigil.gateway.store.sqlite.rows;

import dev.vigil.store.Fact;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

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

  /** The columns that {@link #read} expects, of rows in the order of the feed. */
  public static final String COLUMNS = "position, at, sequence, high, version, slot, keep, body";

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

  public static List<KeptChange> read(ResultSet row) throws SQLException {
    List<KeptChange> changes = new ArrayList<>();
    boolean more = row.next();
    while (more) {
      long position = row.getLong(1);
      Instant at = Microseconds.toInstant(row.getLong(2));
      long sequence = row.getLong(3);
      long high = row.getLong(4);
      long version = row.getLong(5);
      List<Fact> facts = new ArrayList<>(1);
      do {
        String slot = row.getString(6);
        if (!slot.equals(SlotRetention.NO_SLOT)) {
          facts.add(SlotRetention.fact(slot, row.getInt(7), row.getBytes(8)));
        }
        more = row.next();
      } while (more && row.getLong(1) == position);
      changes.add(new KeptChange(position, at, sequence, high, version, facts));
    }
    return changes;
  }
}
