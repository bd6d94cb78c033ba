package dev.vigil.gateway.store.sqlite.rows;

import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code fact}.
 *
 * @param endpoint its number
 * @param slot UTF-8
 * @param keep see {@link SlotRetention#column}
 * @param sequence of its batch; 0 if the batch had none
 * @param high H of the endpoint after the change
 * @param at arrival in microseconds since 1970
 * @param body empty if the slot is empty from here on
 */
public record FactRow(
    long position,
    int ord,
    long endpoint,
    byte[] slot,
    int keep,
    long sequence,
    long high,
    long version,
    long at,
    byte[] body)
    implements CheckedRow {
  /** The columns that {@link #read} expects. */
  public static final String COLUMNS =
      "position, ord, endpoint, slot, keep, sequence, high, version, at, body, crc";

  private static final byte[] DAMAGED = {};

  /**
   * Reads a row.
   *
   * @throws DamagedRowException when the row's checksum is wrong
   */
  public static FactRow read(ResultSet row) throws SQLException {
    FactRow read = readUnchecked(row);
    if (read.checksum() != row.getLong(11)) {
      throw DamagedRowException.ofRow("fact", read.position, read.ord);
    }
    return read;
  }

  static FactRow readUnchecked(ResultSet row) throws SQLException {
    return new FactRow(
        row.getLong(1),
        row.getInt(2),
        row.getLong(3),
        octets(row.getBytes(4)),
        row.getInt(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        octets(row.getBytes(10)));
  }

  /** A damaged row may have no octets where every row has some. */
  static byte[] octets(byte @Nullable [] octets) {
    return octets == null ? DAMAGED : octets;
  }

  /** The same row at another position. */
  public FactRow at(long otherPosition) {
    return new FactRow(otherPosition, ord, endpoint, slot, keep, sequence, high, version, at, body);
  }

  /** Whether its change brought a fact. */
  boolean hasSlot() {
    return slot.length > 0;
  }

  Fact fact() {
    return SlotRetention.fact(new String(slot, StandardCharsets.UTF_8), keep, body);
  }

  @Override
  public long checksum() {
    return RowChecksum.of(
        new FactHead(position, ord, endpoint, slot, keep, sequence, high, version, at, body.length),
        body);
  }
}
