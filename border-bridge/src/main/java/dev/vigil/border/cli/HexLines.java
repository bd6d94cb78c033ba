package dev.vigil.border.cli;

import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Reads lines that begin with octets in hex; text after white space and comment lines are ignored.
 * The output for each line is flushed before the next one is read, so that another program may use
 * the command interactively.
 */
final class HexLines {
  /** Processes the octets of a line. */
  @FunctionalInterface
  interface Action {
    void take(byte[] octets) throws WireException;
  }

  private HexLines() {}

  /**
   * Reads to the end.
   *
   * @param out is flushed after each line
   * @param err gets an error message for each wrong line
   * @return the number of wrong lines
   */
  static int forEach(InputStream in, PrintWriter out, PrintWriter err, Action action)
      throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    int number = 0;
    int errors = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      try {
        action.take(Hex.parse(text.split("\\s+", 2)[0].replace(":", "")));
      } catch (WireException e) {
        errors++;
        report(err, "line " + number, e);
      }
      out.flush();
    }
    return errors;
  }

  /** Prints an error with its place and reason. */
  static void report(PrintWriter err, String place, WireException e) {
    err.printf("%s: %s: %s%n", place, e.reason().label(), e.getMessage());
    err.flush();
  }
}
