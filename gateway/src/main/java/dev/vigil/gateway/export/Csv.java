package dev.vigil.gateway.export;

import dev.vigil.mirror.wire.Rejection;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values (RFC 4180). Text that a spreadsheet would take for a formula gets an
 * apostrophe in front, which reading takes off again: what motes say must not run on an operator's
 * machine.
 */
final class Csv {
  private static final String FORMULA = "=+-@\t\r'";
  private static final int LONGEST = 1 << 20;

  private final Reader in;
  private int line = 1;
  private int rowLine = 1;

  /**
   * @param in buffered, at the start of a row
   */
  Csv(Reader in) {
    this.in = in;
  }

  /** A cell of free text. */
  static String text(String text) {
    boolean formula = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
    return quoted(formula ? "'" + text : text);
  }

  /** What stood in a cell of free text. */
  static String textOf(String cell) {
    return cell.startsWith("'") ? cell.substring(1) : cell;
  }

  /** A cell that is taken as it is. */
  static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  /** The line on which the last row began, from 1. */
  int line() {
    return rowLine;
  }

  /**
   * The cells of the next row; null at the end.
   *
   * @throws Rejection when a quote does not end or a row is too long
   */
  @Nullable List<String> row() throws IOException {
    rowLine = line;
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    boolean closed = false;
    int length = 0;
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (++length > LONGEST) {
        throw Rejection.malformed("a row is longer than a million characters");
      }
      line += c == '\n' ? 1 : 0;
      if (quoted) {
        quoted = c != '"';
        closed = !quoted;
        if (quoted) {
          cell.append((char) c);
        }
      } else if (c == '"') {
        if (closed) {
          cell.append('"');
        }
        quoted = true;
      } else if (c == ',' || c == '\n') {
        cells.add(cell.toString());
        cell.setLength(0);
        closed = false;
        if (c == '\n') {
          return cells;
        }
      } else if (c != '\r') {
        cell.append((char) c);
      }
    }
    if (quoted) {
      throw Rejection.malformed("a quote does not end");
    }
    if (cells.isEmpty() && cell.isEmpty()) {
      return null;
    }
    cells.add(cell.toString());
    return cells;
  }
}
