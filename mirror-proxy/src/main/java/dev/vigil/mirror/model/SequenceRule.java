package dev.vigil.mirror.model;

import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.json.JsonReader;

/**
 * Freshness of sequence numbers against H, the highest accepted one (docs/protocol.md section 5).
 */
public final class SequenceRule {
  /** How far above H the number of a signed registration may be. */
  public static final long REGISTRATION_JUMP = 1L << 32;

  /** The highest sequence number, 2^53-1: every JSON reader represents it exactly. */
  static final long MAX = JsonReader.MAX_INTEGER;

  /** How many numbers must stay usable above a raised number. */
  private static final long RESERVE = 1L << 32;

  private static final int SHORT_SPACE = 1 << 16;

  private SequenceRule() {}

  /** The smallest number above H that has the given low 16 bits (Huang 2008). */
  public static long expand(int low, long high) {
    return high + 1 + ((low - high - 1) & (SHORT_SPACE - 1));
  }

  public static boolean sameLowBits(int low, long high) {
    return (high & (SHORT_SPACE - 1)) == low;
  }

  /**
   * Requires {@code high < number <= high + window}.
   *
   * @throws RequestRefused 4.09 whose payload is only H in decimal; 4.00 above 2^53-1
   */
  public static void requireFresh(long number, long high, long window) {
    if (number > MAX) {
      throw RequestRefused.malformed("a sequence number is at most 2^53-1");
    }
    if (number <= high) {
      throw numberUsed(high);
    }
    if (number - high > window) {
      throw new RequestRefused(Reason.OUTSIDE_WINDOW, Long.toString(high));
    }
  }

  /** Raises a number by a jump, or as far as the number space allows; never lowers it. */
  public static long raised(long number, long jump) {
    return Math.max(number, Math.min(number + jump, MAX - RESERVE));
  }

  /** 4.09 whose payload is only H in decimal. */
  public static RequestRefused numberUsed(long high) {
    return new RequestRefused(Reason.NUMBER_USED, Long.toString(high));
  }
}
