package dev.vigil.gateway.store.sqlite.rows;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of {@code older_facts}: a group of superseded facts of one slot.
 *
 * @param slot number of its row in {@code older_slot}
 * @param lastSequence sequence number of the newest fact
 * @param lastAt the latest arrival in microseconds since 1970
 * @param facts their number
 * @param content compressed
 */
public record GroupRow(long slot, long lastSequence, long lastAt, int facts, byte[] content)
    implements CheckedRow {
  /** The columns that {@link #read} expects. */
  public static final String COLUMNS = "slot, last_sequence, last_at, facts, content, crc, number";

  private static final long PRIME = 2_147_483_647;

  /** See {@link #share}. */
  static final String SHARE = "1 + last_sequence %% %1$d + last_at %% %1$d".formatted(PRIME);

  /**
   * @throws DamagedRowException when the row's checksum is wrong
   */
  public static GroupRow read(ResultSet row) throws SQLException {
    GroupRow read = readUnchecked(row);
    if (read.checksum() != row.getLong(6)) {
      throw DamagedRowException.ofRow("older_facts", row.getLong(7));
    }
    return read;
  }

  static GroupRow readUnchecked(ResultSet row) throws SQLException {
    return new GroupRow(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getInt(4),
        FactRow.octets(row.getBytes(5)));
  }

  /**
   * The part of the column {@code shares} of its slot. The sum shows that no group is missing in
   * the index in which groups are searched.
   */
  public static long share(long lastSequence, long lastAt) {
    return 1 + lastSequence % PRIME + lastAt % PRIME;
  }

  @Override
  public long checksum() {
    return RowChecksum.ofGroup(slot, lastSequence, lastAt, facts, content);
  }
}
