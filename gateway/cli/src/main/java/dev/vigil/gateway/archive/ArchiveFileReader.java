package dev.vigil.gateway.archive;

import dev.vigil.gateway.archive.ArchivedReading.Form;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.wire.WireReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads a file of readings. It detects the format: CSV, JSON lines, one JWS per line, or a JSON
 * array of JWS (content format 65103).
 */
public final class ArchiveFileReader {
  private static final char BYTE_ORDER_MARK = '\ufeff';
  private static final int LOOK_AHEAD = 16;

  private ArchiveFileReader() {}

  /** Receives each reading, in the order of the file. */
  interface Visitor {
    /**
     * @param line first line of the reading, from 1
     */
    void reading(int line, ArchivedReading reading);

    /** Called for a line that cannot be read. */
    void malformed(int line, String fault);
  }

  /**
   * @throws IOException when the file cannot be read as UTF-8 text
   */
  public static void read(Path file, Visitor visitor) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      in.mark(LOOK_AHEAD);
      if (in.read() != BYTE_ORDER_MARK) {
        in.reset();
      }
      in.mark(LOOK_AHEAD);
      char[] start = new char[3];
      int count = in.read(start);
      in.reset();
      String first = new String(start, 0, Math.max(0, count));
      if (first.equals("ep,")) {
        csv(new Csv(in), visitor);
      } else if (first.startsWith("[")) {
        list(in, visitor);
      } else {
        lines(in, visitor);
      }
    }
  }

  private static void lines(BufferedReader in, Visitor visitor) throws IOException {
    int number = 0;
    for (String read = in.readLine(); read != null; read = in.readLine()) {
      int at = ++number;
      String line = read;
      if (!line.isBlank()) {
        visit(visitor, at, () -> line.startsWith("{") ? JsonLines.read(line) : jws(line.strip()));
      }
    }
  }

  private static void list(BufferedReader in, Visitor visitor) throws IOException {
    String all = in.readAllAsString();
    List<String> found = new ArrayList<>();
    try {
      JsonReader json = new JsonReader(new WireReader(all.getBytes(StandardCharsets.UTF_8)));
      json.array(() -> found.add(json.string()));
      json.end();
    } catch (SignedObjectException e) {
      visitor.malformed(1, e.line());
    }
    for (int i = 0; i < found.size(); i++) {
      visitor.reading(i + 1, jws(found.get(i)));
    }
  }

  /** A reading without the gateway's fields. */
  private static ArchivedReading jws(String jws) {
    return new ArchivedReading(null, Form.JWS, jws.getBytes(StandardCharsets.UTF_8), null);
  }

  private static void csv(Csv csv, Visitor visitor) throws IOException {
    List<List<String>> reading = new ArrayList<>();
    int firstLine = 1;
    try {
      String header = String.join(",", csv.row());
      if (!header.equals(CsvRows.HEADER)) {
        visitor.malformed(1, "the first row is not " + CsvRows.HEADER);
        return;
      }
      for (List<String> row = csv.row(); row != null; row = csv.row()) {
        if (!reading.isEmpty() && !CsvRows.belongTogether(reading.getLast(), row)) {
          rows(reading, firstLine, visitor);
          reading.clear();
        }
        firstLine = reading.isEmpty() ? csv.line() : firstLine;
        if (CsvRows.hasCells(row)) {
          reading.add(row);
        } else {
          visitor.malformed(csv.line(), "the row has a different number of cells than the header");
        }
      }
    } catch (ArchiveException e) {
      visitor.malformed(csv.line(), e.line());
    }
    if (!reading.isEmpty()) {
      rows(reading, firstLine, visitor);
    }
  }

  private static void rows(List<List<String>> rows, int line, Visitor visitor) {
    List<List<String>> copy = List.copyOf(rows);
    visit(visitor, line, () -> CsvRows.read(copy));
  }

  private static void visit(Visitor visitor, int line, Supplier<ArchivedReading> parser) {
    ArchivedReading reading;
    try {
      reading = parser.get();
    } catch (ArchiveException e) {
      visitor.malformed(line, e.line());
      return;
    } catch (SignedObjectException e) {
      visitor.malformed(line, e.line());
      return;
    }
    visitor.reading(line, reading);
  }
}
