package dev.vigil.gateway.store.sqlite.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The tables whose rows have checksums. The caller begins and commits transactions. */
public final class CheckedTables {
  /** The number of rows that are written together. */
  private static final int TOGETHER = 1000;

  /** The data format since which rows have checksums. */
  public static final int SINCE = 7;

  private static final Table OLDER_SLOTS =
      new Table("older_slot", OlderSlotRow.COLUMNS, List.of("number"), OlderSlotRow::readUnchecked);

  /** The sum of the shares of each slot's groups. Only the index is read, in its own order. */
  static final String SHARES =
      "SELECT slot, sum(%s) AS found FROM older_facts INDEXED BY older_facts_of_slot GROUP BY slot"
          .formatted(GroupRow.SHARE);

  private static final List<Table> ALL =
      List.of(
          new Table("endpoint", EndpointRow.COLUMNS, List.of("number"), EndpointRow::readUnchecked),
          new Table("fact", FactRow.COLUMNS, List.of("position", "ord"), FactRow::readUnchecked),
          OLDER_SLOTS,
          new Table("older_facts", GroupRow.COLUMNS, List.of("number"), GroupRow::readUnchecked));

  private CheckedTables() {}

  @FunctionalInterface
  private interface Reader {
    CheckedRow read(ResultSet row) throws SQLException;
  }

  private record Table(String name, String columns, List<String> keys, Reader reader) {
    private String where() {
      return keys.stream().map(key -> key + " = ?").collect(Collectors.joining(" AND "));
    }

    private long[] key(ResultSet row) throws SQLException {
      long[] key = new long[keys.size()];
      for (int i = 0; i < key.length; i++) {
        key[i] = row.getLong(keys.get(i));
      }
      return key;
    }

    private static void bind(PreparedStatement statement, int first, long[] key)
        throws SQLException {
      for (int i = 0; i < key.length; i++) {
        statement.setLong(first + i, key[i]);
      }
    }

    private String select() {
      return "SELECT %s FROM %s".formatted(columns, name);
    }

    void renew(Connection connection) throws SQLException {
      try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE %s SET crc = ? WHERE %s".formatted(name, where()));
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(select())) {
        for (int rows = 1; row.next(); rows++) {
          update.setLong(1, reader.read(row).checksum());
          bind(update, 2, key(row));
          update.addBatch();
          if (rows % TOGETHER == 0) {
            update.executeBatch();
          }
        }
        update.executeBatch();
      }
    }

    private List<long[]> damaged(Statement statement) throws SQLException {
      List<long[]> damaged = new ArrayList<>();
      try (ResultSet row = statement.executeQuery(select())) {
        while (row.next()) {
          if (reader.read(row).checksum() != row.getLong("crc")) {
            damaged.add(key(row));
          }
        }
      }
      return damaged;
    }

    /** Moves damaged rows into a table of their own. */
    int separate(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        List<long[]> damaged = damaged(statement);
        if (!damaged.isEmpty()) {
          statement.execute(
              "CREATE TABLE IF NOT EXISTS damaged_%s AS SELECT * FROM %s WHERE false"
                  .formatted(name, name));
          move(connection, damaged);
        }
        return damaged.size();
      }
    }

    private void move(Connection connection, List<long[]> damaged) throws SQLException {
      try (PreparedStatement copy =
              connection.prepareStatement(
                  "INSERT INTO damaged_%s SELECT * FROM %s WHERE %s"
                      .formatted(name, name, where()));
          PreparedStatement delete =
              connection.prepareStatement("DELETE FROM %s WHERE %s".formatted(name, where()))) {
        for (long[] key : damaged) {
          bind(copy, 1, key);
          copy.executeUpdate();
          bind(delete, 1, key);
          delete.executeUpdate();
        }
      }
    }
  }

  /**
   * Checks the rows that are only searched, because a damaged one would just not be found.
   *
   * @throws DamagedRowException when the checksum of a row is wrong
   */
  static void requireSearched(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      requireIntact(OLDER_SLOTS, statement);
    }
  }

  /**
   * Checks every row.
   *
   * @throws DamagedRowException when the checksum of a row is wrong
   */
  public static void requireIntact(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (Table table : ALL) {
        requireIntact(table, statement);
      }
    }
  }

  private static void requireIntact(Table table, Statement statement) throws SQLException {
    for (long[] key : table.damaged(statement)) {
      throw DamagedRowException.ofRow(table.name, key);
    }
  }

  /** Adds the columns of the checksums. */
  public static void addColumns(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (Table table : ALL) {
        statement.execute(
            "ALTER TABLE %s ADD COLUMN crc INTEGER NOT NULL DEFAULT 0".formatted(table.name));
      }
      statement.execute("ALTER TABLE older_slot ADD COLUMN shares INTEGER NOT NULL DEFAULT 0");
      statement.execute(
          "UPDATE older_slot SET shares = found FROM (%s) AS indexed WHERE indexed.slot = number"
              .formatted(SHARES));
    }
  }

  /** Gives each row the checksum of its content, whatever it is. */
  public static void renew(Connection connection) throws SQLException {
    for (Table table : ALL) {
      table.renew(connection);
    }
  }

  /**
   * Moves the rows with wrong checksums into tables {@code damaged_…}, so that readers find only
   * intact ones.
   *
   * @return the number of these rows
   */
  public static int separateDamaged(Connection connection) throws SQLException {
    int damaged = 0;
    for (Table table : ALL) {
      damaged += table.separate(connection);
    }
    return damaged;
  }
}
