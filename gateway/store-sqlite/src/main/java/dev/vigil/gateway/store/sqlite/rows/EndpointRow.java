package dev.vigil.gateway.store.sqlite.rows;

import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code endpoint}.
 *
 * @param id as in {@code /ms/{id}}
 */
public record EndpointRow(long number, String id, EndpointName name) {
  /** The columns that {@link #read} expects. */
  public static final String COLUMNS = "number, id, d, ep, crc";

  /**
   * @throws DamagedRowException when the row does not have its checksum
   */
  public static EndpointRow read(ResultSet row) throws SQLException {
    EndpointRow read = readIfIntact(row);
    if (read == null) {
      throw new DamagedRowException("row [%d] of endpoint".formatted(row.getLong(1)), null);
    }
    return read;
  }

  /** Reads a row; null if it does not have its checksum. */
  public static @Nullable EndpointRow readIfIntact(ResultSet row) throws SQLException {
    if (text(row, 4).isEmpty()) {
      return null; // No endpoint has this name.
    }
    EndpointRow read = readUnchecked(row);
    return read.checksum() == row.getLong(5) ? read : null;
  }

  static EndpointRow readUnchecked(ResultSet row) throws SQLException {
    return new EndpointRow(
        row.getLong(1), text(row, 2), new EndpointName(text(row, 4), text(row, 3)));
  }

  /** Reads octets because the driver takes several times as long to read a string. */
  private static String text(ResultSet row, int column) throws SQLException {
    return new String(FactRow.octets(row.getBytes(column)), StandardCharsets.UTF_8);
  }

  /** The column {@code crc}: the checksum of the other columns. */
  public long checksum() {
    return RowChecksum.ofEndpoint(number, id, name);
  }
}
