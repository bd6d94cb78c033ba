package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.CompanionFiles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The table {@code companion}. It is read and written a few times during startup, each time on a
 * separate connection.
 */
final class CompanionTable implements CompanionFiles.Names {
  private final SqliteDatabase database;

  CompanionTable(SqliteDatabase database) {
    this.database = database;
  }

  @Override
  public boolean contains(String name) {
    try (Connection connection = database.openForReading();
        PreparedStatement select =
            connection.prepareStatement("SELECT 1 FROM companion WHERE name = ?")) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  @Override
  public void add(String name) {
    change("INSERT OR IGNORE INTO companion VALUES (?)", name);
  }

  void remove(String name) {
    change("DELETE FROM companion WHERE name = ?", name);
  }

  private void change(String sql, String name) {
    try (Connection connection = database.openForWriting();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }
}
