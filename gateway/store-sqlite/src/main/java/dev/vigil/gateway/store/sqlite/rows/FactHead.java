package dev.vigil.gateway.store.sqlite.rows;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.zip.CRC32C;

/**
 * A row of {@code fact} without its body; see {@link FactRow}. The start reads all rows, but only
 * few bodies.
 *
 * @param length octets of the body
 */
public record FactHead(
    long position,
    int ord,
    long endpoint,
    byte[] slot,
    int keep,
    long sequence,
    long high,
    long version,
    long at,
    int length) {
  /** The columns that {@link #read} expects. */
  public static final String COLUMNS =
      "position, ord, endpoint, slot, keep, sequence, high, version, at, length(body), crc";

  private static final int FIXED = 6 * Long.BYTES + 3 * Integer.BYTES;

  /**
   * @throws DamagedRowException when the row's checksum is wrong
   */
  public static FactHead read(ResultSet row) throws SQLException {
    FactHead head =
        new FactHead(
            row.getLong(1),
            row.getInt(2),
            row.getLong(3),
            FactRow.octets(row.getBytes(4)),
            row.getInt(5),
            row.getLong(6),
            row.getLong(7),
            row.getLong(8),
            row.getLong(9),
            row.getInt(10));
    CRC32C crc = new CRC32C();
    head.addTo(crc);
    if (!RowChecksum.isOfHead(row.getLong(11), crc)) {
      throw DamagedRowException.ofRow("fact", head.position, head.ord);
    }
    return head;
  }

  void addTo(CRC32C crc) {
    crc.update(
        ByteBuffer.allocate(FIXED + slot.length)
            .putLong(position)
            .putInt(ord)
            .putLong(endpoint)
            .putInt(keep)
            .putLong(sequence)
            .putLong(high)
            .putLong(version)
            .putLong(at)
            .putInt(length)
            .put(slot)
            .flip());
  }
}
