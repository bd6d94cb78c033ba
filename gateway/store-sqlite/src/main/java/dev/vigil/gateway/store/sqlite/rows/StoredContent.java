package dev.vigil.gateway.store.sqlite.rows;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;

/**
 * The content of a store's file, whether it is a replica or not. Files with the same content have
 * the same hash, however their rows are arranged.
 *
 * @param endpoints names, including those of the gateway's records
 * @param facts of these
 * @param olderGroups compressed groups of superseded facts
 * @param aggregates numbers of minutes, hours and days
 * @param sha256 of all these, in hexadecimal digits
 */
public record StoredContent(
    long endpoints, long facts, long olderGroups, long aggregates, String sha256) {
  private static final String ENDPOINTS = "SELECT number, id, d, ep FROM endpoint ORDER BY number";

  private static final String FACTS =
      """
      SELECT position, ord, endpoint, slot, keep, sequence, high, version, at, body FROM fact
      ORDER BY position, ord
      """;

  private static final String OLDER =
      """
      SELECT older_facts.number, endpoint, older_slot.slot, last_sequence, last_at, facts, content
      FROM older_facts JOIN older_slot ON older_slot.number = older_facts.slot
      ORDER BY older_facts.number
      """;

  private static final String AGGREGATES =
      """
      SELECT endpoint, path, name, unit, kid, seconds, start, count, sum, min, max, last, last_at
      FROM aggregate JOIN series ON series.number = aggregate.series
      ORDER BY aggregate.series, seconds, start
      """;

  /** Reads everything on a connection. */
  public static StoredContent of(Connection connection) throws SQLException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      DataOutputStream out =
          new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
      return new StoredContent(
          add(connection, ENDPOINTS, out),
          add(connection, FACTS, out),
          add(connection, OLDER, out),
          add(connection, AGGREGATES, out),
          HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long add(Connection connection, String query, DataOutputStream out)
      throws SQLException, IOException {
    long rows = 0;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        rows++;
        for (int i = 1; i <= columns; i++) {
          byte[] octets = row.getBytes(i);
          out.writeInt(octets == null ? -1 : octets.length);
          out.write(octets == null ? new byte[0] : octets);
        }
      }
    }
    out.writeLong(rows);
    return rows;
  }
}
