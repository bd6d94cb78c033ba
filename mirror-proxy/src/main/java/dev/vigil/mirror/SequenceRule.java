package dev.vigil.mirror;

import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;

/** Which numbers are fresh, H being the highest accepted one (section 5 of the protocol). */
final class SequenceRule {
  /** How far above H a signed registration may be. */
  static final long REGISTRATION_JUMP = 1L << 32;

  /** The highest number there is: what every JSON reader holds exactly. */
  static final long LAST = JsonReader.MAX_INTEGER;

  private static final int SHORT = 1 << 16;

  private SequenceRule() {}

  /** The smallest number above H with those low 16 bits (Huang 2008). */
  static long expand(int low, long high) {
    return high + 1 + ((low - high - 1) & (SHORT - 1));
  }

  static boolean sameLowBits(int low, long high) {
    return (high & (SHORT - 1)) == low;
  }

  /**
   * @throws Rejection 4.09 with H in decimal, alone; 4.00 beyond the last number
   */
  static void judge(long number, long high, long window) {
    if (number > LAST) {
      throw Rejection.malformed("a sequence number is at most 2^53-1");
    }
    if (number <= high) {
      throw used(high);
    }
    if (number - high > window) {
      throw new Rejection(Reason.OUTSIDE_WINDOW, Long.toString(high));
    }
  }

  static Rejection used(long high) {
    return new Rejection(Reason.NUMBER_USED, Long.toString(high));
  }
}
