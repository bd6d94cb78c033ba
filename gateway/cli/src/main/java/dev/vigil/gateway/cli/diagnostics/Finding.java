package dev.vigil.gateway.cli.diagnostics;

/**
 * @param text one line with the part, its state and the remedy
 */
record Finding(Level level, String text) {
  enum Level {
    OK("ok"),
    /** An operator should look at it. */
    WARN("warn"),
    /** The gateway does not work correctly. */
    WRONG("wrong");

    private final String label;

    Level(String label) {
      this.label = label;
    }
  }

  static Finding ok(String text) {
    return new Finding(Level.OK, text);
  }

  static Finding warn(String text) {
    return new Finding(Level.WARN, text);
  }

  static Finding wrong(String text) {
    return new Finding(Level.WRONG, text);
  }

  String line() {
    return "%-8s %s".formatted(level.label, text);
  }
}
