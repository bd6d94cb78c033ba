package dev.vigil.border.rpl;

/**
 * RPL's lollipop sequence counters (RFC 6550, section 7.2): 128 to 255 is the linear region after a
 * restart, 0 to 127 the circular region.
 */
final class LollipopCounter {
  /** The initial value of a counter without a stored value. */
  static final int START = 240;

  private static final int CIRCLE = 128;
  private static final int WINDOW = 16;

  private LollipopCounter() {}

  static int next(int value) {
    return value >= CIRCLE ? value + 1 & 0xff : value + 1 & CIRCLE - 1;
  }

  /** Whether {@code a} is newer than {@code b}. A restarted counter is newer unless it is close. */
  static boolean isNewer(int a, int b) {
    boolean restarted = a >= CIRCLE && b < CIRCLE && !follows(b, a);
    return restarted || follows(a, b);
  }

  /** Whether {@code b} becomes {@code a} within the sequence window. */
  static boolean follows(int a, int b) {
    if (a >= CIRCLE && b < CIRCLE) {
      return false;
    }
    if (a < CIRCLE && b >= CIRCLE) {
      return 256 + a - b <= WINDOW;
    }
    int size = a < CIRCLE ? CIRCLE : 256;
    int ahead = (a - b + size) % size;
    return ahead > 0 && ahead <= WINDOW;
  }
}
