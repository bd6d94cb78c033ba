package dev.vigil.gateway.config;

/** Refuses what cannot be meant, in words that name the property and what it takes. */
final class Check {
  private static final int LAST_PORT = 65535;

  private Check() {}

  static void port(String name, int port) {
    range(name, port, 0, LAST_PORT);
  }

  static void range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, not %d".formatted(name, least, most, value));
    }
  }
}
