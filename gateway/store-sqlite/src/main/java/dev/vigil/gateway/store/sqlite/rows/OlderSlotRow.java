package dev.vigil.gateway.store.sqlite.rows;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of {@code older_slot} without the size of its groups, which changes often.
 *
 * @param endpoint its number; 0 if the slot no longer keeps older facts
 * @param slot UTF-8
 */
public record OlderSlotRow(long number, long endpoint, byte[] slot) implements CheckedRow {
  static final String COLUMNS = "number, endpoint, slot, crc";

  static OlderSlotRow readUnchecked(ResultSet row) throws SQLException {
    return new OlderSlotRow(row.getLong(1), row.getLong(2), FactRow.octets(row.getBytes(3)));
  }

  @Override
  public long checksum() {
    return RowChecksum.ofSlot(number, endpoint, slot);
  }
}
