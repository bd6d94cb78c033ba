package dev.vigil.gateway.store.sqlite.rows;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of {@code older_slot} without the size of its groups, which changes often.
 *
 * @param endpoint its number; 0 if the slot no longer keeps older facts
 * @param slot UTF-8
 */
public record OlderSlotRow(long number, long endpoint, byte[] slot) {
  static final String COLUMNS = "number, endpoint, slot, crc";

  static OlderSlotRow readUnchecked(ResultSet row) throws SQLException {
    return new OlderSlotRow(row.getLong(1), row.getLong(2), FactRow.octets(row.getBytes(3)));
  }

  static boolean isIntact(ResultSet row) throws SQLException {
    return readUnchecked(row).checksum() == row.getLong(4);
  }

  /** The column {@code crc}. */
  public long checksum() {
    return RowChecksum.ofSlot(number, endpoint, slot);
  }
}
