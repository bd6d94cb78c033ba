package dev.vigil.gateway.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses invalid settings with messages that name the property and its allowed values. */
public final class SettingChecks {
  private static final int LAST_PORT = 65535;

  private SettingChecks() {}

  public static void port(String name, int port) {
    range(name, port, 0, LAST_PORT);
  }

  public static void range(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidSettingException(
          name, "must be %d to %d, not %d".formatted(min, max, value));
    }
  }

  /** Returns the value, which must be in the range, or the default when the setting is missing. */
  public static int in(String name, @Nullable Integer value, int min, int max, int defaults) {
    if (value == null) {
      return defaults;
    }
    range(name, value, min, max);
    return value;
  }

  public static long in(String name, @Nullable Long value, long min, long max, long defaults) {
    if (value == null) {
      return defaults;
    }
    range(name, value, min, max);
    return value;
  }

  /** Returns the first setting if it is set, otherwise the second. */
  public static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
    return one == null ? other : one;
  }

  /** A duration that may be zero. */
  public static Duration span(String name, @Nullable Duration value, Duration defaults) {
    if (value != null && value.isNegative()) {
      throw new InvalidSettingException(
          name, "must be a duration such as 30s, 5m or 2h, and not negative");
    }
    return value == null ? defaults : value;
  }

  public static Duration positive(String name, @Nullable Duration value, Duration defaults) {
    if (value != null && value.toSeconds() < 1) {
      throw new InvalidSettingException(
          name, "must be a duration of at least 1s, such as 30s, 5m or 2h");
    }
    return value == null ? defaults : value;
  }
}
