package dev.vigil.gateway.bench.load;

import java.util.Locale;

/** Lines on standard error while something is measured. */
public final class Progress {
  private Progress() {}

  public static void say(String format, Object... values) {
    System.err.println(String.format(Locale.ROOT, format, values));
  }
}
