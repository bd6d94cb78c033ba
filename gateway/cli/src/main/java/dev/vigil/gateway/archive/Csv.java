package dev.vigil.gateway.archive;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values (RFC 4180). Writing adds an apostrophe to text that a spreadsheet would
 * treat as a formula, because text from motes must not run on an operator's machine. Reading
 * removes the apostrophe.
 */
public final class Csv {
  private static final String FORMULA = "=+-@\t\r'";
  private static final int MAX_ROW = 1 << 20;

  private final Reader in;
  private int line = 1;
  private int rowLine = 1;

  /**
   * @param in buffered, at the start of a row
   */
  Csv(Reader in) {
    this.in = in;
  }

  /** Writes a cell of free text. */
  public static String text(String text) {
    boolean formula = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
    return quoted(formula ? "'" + text : text);
  }

  /** Reads a cell of free text. */
  static String textOf(String cell) {
    return cell.startsWith("'") ? cell.substring(1) : cell;
  }

  /** Writes a cell whose text is known not to be a formula. */
  static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  /** The first line of the last row, counted from 1. */
  int line() {
    return rowLine;
  }

  /**
   * Reads the cells of the next row; null at the end.
   *
   * @throws ArchiveException when a quote is not closed or a row is too long
   */
  @Nullable List<String> row() throws IOException {
    rowLine = line;
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    boolean closed = false;
    int length = 0;
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (++length > MAX_ROW) {
        throw new ArchiveException("a row is longer than " + MAX_ROW + " characters");
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
      throw new ArchiveException("a quote is not closed");
    }
    if (cells.isEmpty() && cell.isEmpty()) {
      return null;
    }
    cells.add(cell.toString());
    return cells;
  }
}
