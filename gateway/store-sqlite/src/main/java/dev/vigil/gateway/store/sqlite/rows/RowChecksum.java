package dev.vigil.gateway.store.sqlite.rows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The checksums of rows: CRC-32C (RFC 3720, appendix B.4). SQLite has none, so without them a bit
 * that flips on the disk would change a value.
 */
final class RowChecksum {
  private static final int HALF = Integer.SIZE;

  private RowChecksum() {}

  /** The checksum of the head in the upper half, that of the whole row in the lower half. */
  static long of(FactHead head, byte[] body) {
    CRC32C crc = new CRC32C();
    head.addTo(crc);
    long first = crc.getValue();
    crc.update(body);
    return first << HALF | crc.getValue();
  }

  /** Whether a row of {@code fact} begins with a head. */
  static boolean isOfHead(long checksum, CRC32C head) {
    return checksum >>> HALF == head.getValue();
  }

  /** The checksum of a row of {@code endpoint}. */
  static long ofEndpoint(long number, String id, String d, String ep) {
    return of(
        ByteBuffer.allocate(Long.BYTES).putLong(number),
        id.getBytes(StandardCharsets.UTF_8),
        d.getBytes(StandardCharsets.UTF_8),
        ep.getBytes(StandardCharsets.UTF_8));
  }

  /** The checksum of a row of {@code older_slot}. */
  static long ofSlot(long number, long endpoint, byte[] slot) {
    return of(ByteBuffer.allocate(2 * Long.BYTES).putLong(number).putLong(endpoint), slot);
  }

  /** The checksum of a row of {@code older_facts}. */
  static long ofGroup(long slot, long lastSequence, long lastAt, int facts, byte[] content) {
    return of(
        ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES)
            .putLong(slot)
            .putLong(lastSequence)
            .putLong(lastAt)
            .putInt(facts),
        content);
  }

  /** Each value's length counts, so that octets cannot move from one to the next unnoticed. */
  private static long of(ByteBuffer numbers, byte[]... values) {
    CRC32C crc = new CRC32C();
    crc.update(numbers.flip());
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    for (byte[] value : values) {
      crc.update(length.clear().putInt(value.length).flip());
      crc.update(value);
    }
    return crc.getValue();
  }
}
