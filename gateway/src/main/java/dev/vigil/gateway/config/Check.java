package dev.vigil.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses what cannot be meant, in words that name the property and what it takes. */
final class Check {
  private static final int LAST_PORT = 65535;

  private Check() {}

  static void port(String name, int port) {
    range(name, port, 0, LAST_PORT);
  }

  static void range(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new WrongSetting(name, "must be %d to %d, not %d".formatted(least, most, value));
    }
  }

  /** What was told, in its range, or else what is usual. */
  static int in(String name, @Nullable Integer told, int least, int most, int usual) {
    if (told == null) {
      return usual;
    }
    range(name, told, least, most);
    return told;
  }

  static long in(String name, @Nullable Long told, long least, long most, long usual) {
    if (told == null) {
      return usual;
    }
    range(name, told, least, most);
    return told;
  }

  /** A span of time that may be none. */
  static Duration span(String name, @Nullable Duration told, Duration usual) {
    if (told != null && told.isNegative()) {
      throw new WrongSetting(
          name, "takes a span of time such as 30s, 5m or 2h, not a negative one");
    }
    return told == null ? usual : told;
  }

  static Duration positive(String name, @Nullable Duration told, Duration usual) {
    if (told != null && told.toSeconds() < 1) {
      throw new WrongSetting(name, "takes a span of time such as 30s, 5m or 2h, at least 1s");
    }
    return told == null ? usual : told;
  }
}
