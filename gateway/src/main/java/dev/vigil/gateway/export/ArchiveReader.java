package dev.vigil.gateway.export;

import dev.vigil.gateway.export.Reading.Form;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a file of readings, whichever it is: CSV, JSON lines, a JWS on each line, or a JSON array
 * of JWS (content format 65103).
 */
final class ArchiveReader {
  private static final char BYTE_ORDER_MARK = '\ufeff';
  private static final int LOOK = 16;

  private ArchiveReader() {}

  /** Takes what is found, in the order of the file. */
  interface Each {
    /**
     * @param line where it begins, from 1
     */
    void reading(int line, Reading reading);

    /** A line that is no reading. */
    void malformed(int line, String why);
  }

  /**
   * @throws IOException when the file cannot be read as UTF-8 text
   */
  static void read(Path file, Each each) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      in.mark(LOOK);
      if (in.read() != BYTE_ORDER_MARK) {
        in.reset();
      }
      in.mark(LOOK);
      char[] start = new char[3];
      int count = in.read(start);
      in.reset();
      String first = new String(start, 0, Math.max(0, count));
      if (first.equals("ep,")) {
        csv(new Csv(in), each);
      } else if (first.startsWith("[")) {
        list(in, each);
      } else {
        lines(in, each);
      }
    }
  }

  private static void lines(BufferedReader in, Each each) throws IOException {
    int number = 0;
    for (String read = in.readLine(); read != null; read = in.readLine()) {
      int at = ++number;
      String line = read;
      if (!line.isBlank()) {
        each(each, at, () -> line.startsWith("{") ? JsonLines.read(line) : bare(line.strip()));
      }
    }
  }

  private static void list(BufferedReader in, Each each) throws IOException {
    String all = in.readAllAsString();
    List<String> found = new ArrayList<>();
    try {
      JsonReader json = new JsonReader(new WireReader(all.getBytes(StandardCharsets.UTF_8)));
      json.array(() -> found.add(json.string()));
      json.end();
    } catch (Rejection e) {
      each.malformed(1, e.line());
    }
    for (int i = 0; i < found.size(); i++) {
      each.reading(i + 1, bare(found.get(i)));
    }
  }

  private static Reading bare(String jws) {
    return new Reading(null, Form.JWS, jws.getBytes(StandardCharsets.UTF_8), null);
  }

  private static void csv(Csv csv, Each each) throws IOException {
    List<List<String>> together = new ArrayList<>();
    int begin = 1;
    try {
      String header = String.join(",", csv.row());
      if (!header.equals(CsvRows.HEADER)) {
        each.malformed(1, "the first row is not " + CsvRows.HEADER);
        return;
      }
      for (List<String> row = csv.row(); row != null; row = csv.row()) {
        if (!together.isEmpty() && !CsvRows.goesOn(together.getLast(), row)) {
          rows(together, begin, each);
          together.clear();
        }
        begin = together.isEmpty() ? csv.line() : begin;
        if (CsvRows.hasCells(row)) {
          together.add(row);
        } else {
          each.malformed(csv.line(), "a row has as many cells as the first");
        }
      }
    } catch (Rejection e) {
      each.malformed(csv.line(), e.line());
    }
    if (!together.isEmpty()) {
      rows(together, begin, each);
    }
  }

  private static void rows(List<List<String>> rows, int line, Each each) {
    List<List<String>> these = List.copyOf(rows);
    each(each, line, () -> CsvRows.read(these));
  }

  private interface Parse {
    Reading reading();
  }

  private static void each(Each each, int line, Parse parse) {
    Reading reading;
    try {
      reading = parse.reading();
    } catch (Rejection e) {
      each.malformed(line, e.line());
      return;
    }
    each.reading(line, reading);
  }
}
