package dev.vigil.gateway.month;

/** An invariant of the month does not hold. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  Violation(String sentence) {
    super(sentence);
  }
}
