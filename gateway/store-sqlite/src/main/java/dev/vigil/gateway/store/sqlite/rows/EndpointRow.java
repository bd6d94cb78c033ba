package dev.vigil.gateway.store.sqlite.rows;

import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of {@code endpoint}.
 *
 * @param id as in {@code /ms/{id}}
 */
public record EndpointRow(long number, String id, String d, String ep) implements CheckedRow {
  /** The columns that {@link #read} expects. */
  public static final String COLUMNS = "number, id, d, ep, crc";

  /**
   * @throws DamagedRowException when the row's checksum is wrong
   */
  public static EndpointRow read(ResultSet row) throws SQLException {
    EndpointRow read = readUnchecked(row);
    if (read.checksum() != row.getLong(5)) {
      throw DamagedRowException.ofRow("endpoint", read.number);
    }
    return read;
  }

  static EndpointRow readUnchecked(ResultSet row) throws SQLException {
    return new EndpointRow(row.getLong(1), text(row, 2), text(row, 3), text(row, 4));
  }

  public EndpointName name() {
    return new EndpointName(ep, d);
  }

  /** Reads octets because the driver takes several times as long to read a string. */
  private static String text(ResultSet row, int column) throws SQLException {
    return new String(FactRow.octets(row.getBytes(column)), StandardCharsets.UTF_8);
  }

  @Override
  public long checksum() {
    return RowChecksum.ofEndpoint(number, id, d, ep);
  }
}
