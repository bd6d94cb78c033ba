package dev.vigil.gateway.bench;

import java.util.Locale;

/** Lines on standard error while something is measured. */
final class Progress {
  private Progress() {}

  static void say(String format, Object... values) {
    System.err.println(String.format(Locale.ROOT, format, values));
  }
}
