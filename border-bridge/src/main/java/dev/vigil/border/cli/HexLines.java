package dev.vigil.border.cli;

import dev.vigil.border.wire.Octets;
import dev.vigil.border.wire.WireException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Lines that begin with octets in hex; what follows white space, and comments, are ignored. Each is
 * answered before the next one is waited for, so that a program may ask line by line.
 */
final class HexLines {
  /** Does something with the octets of a line. */
  @FunctionalInterface
  interface Action {
    void take(byte[] octets) throws WireException;
  }

  private HexLines() {}

  /**
   * Reads to the end.
   *
   * @param out is flushed after each line
   * @param err hears which lines were wrong, and why
   * @return how many were
   */
  static int forEach(InputStream in, PrintWriter out, PrintWriter err, Action action)
      throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    int number = 0;
    int wrong = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      try {
        action.take(Octets.parseHex(text.split("\\s+", 2)[0].replace(":", "")));
      } catch (WireException e) {
        wrong++;
        complain(err, "line " + number, e);
      }
      out.flush();
    }
    return wrong;
  }

  /** Says what is wrong where. */
  static void complain(PrintWriter err, String place, WireException e) {
    err.printf("%s: %s: %s%n", place, e.reason().label(), e.getMessage());
    err.flush();
  }
}
