package dev.vigil.gateway.openapi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The least role of each operation, from the table that a test checks against a gateway.
 *
 * @param rows by method and path, such as {@code GET /api/keys}
 */
record AccessTable(Map<String, Row> rows) {
  private static final int COLUMNS = 5;

  /**
   * @param role least role, or anyone, anybody, session, nobody
   * @param where domain, somewhere, everywhere or hidden
   */
  record Row(String role, String where) {
    boolean isOpen() {
      return role.equals("anyone");
    }

    /** Whether the settings can let strangers read it. */
    boolean mayBeOpen() {
      return role.equals("viewer");
    }

    String sentence() {
      return switch (role) {
        case "anyone" -> "Open to everybody.";
        case "anybody" -> "For everyone who is signed in.";
        case "session" -> "Needs a session.";
        case "nobody" -> "Needs a session, or the operator's token.";
        default -> "Needs the role " + role + " " + place() + ".";
      };
    }

    private String place() {
      return switch (where) {
        case "domain" -> "in the domain";
        case "everywhere" -> "in every domain";
        default -> "in a domain; the answer contains only the things of such domains";
      };
    }
  }

  static AccessTable read(Path file) throws IOException {
    Map<String, Row> rows = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] columns = line.split("\\|", -1);
      if (!line.startsWith("#") && columns.length == COLUMNS) {
        rows.put(columns[0].strip(), new Row(columns[3].strip(), columns[4].strip()));
      }
    }
    return new AccessTable(Map.copyOf(rows));
  }

  Optional<Row> of(String method, String path) {
    return Optional.ofNullable(rows.get(method + " " + path));
  }
}
