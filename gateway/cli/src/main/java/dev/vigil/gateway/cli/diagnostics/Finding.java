package dev.vigil.gateway.cli.diagnostics;

/**
 * @param text one line: the state of which part, and what to do
 */
record Finding(Level level, String text) {
  enum Level {
    OK("ok"),
    /** Somebody should look at it. */
    WARN("warn"),
    /** The gateway does not serve as it should. */
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
