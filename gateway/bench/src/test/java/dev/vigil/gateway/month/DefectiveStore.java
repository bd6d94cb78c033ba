package dev.vigil.gateway.month;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A store that forgets H with an endpoint: the defect {@link Defect#FORGETS_NUMBERS}. */
final class DefectiveStore {
  private DefectiveStore() {}

  static void countFromZero(Path data, String ep) {
    try (Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + data.resolve("vigil.db"))) {
      String change =
          "UPDATE fact SET high = 0, sequence = 0 WHERE endpoint IN"
              + " (SELECT number FROM endpoint WHERE ep = ?)";
      try (PreparedStatement statement = connection.prepareStatement(change)) {
        statement.setString(1, ep);
        statement.executeUpdate();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
