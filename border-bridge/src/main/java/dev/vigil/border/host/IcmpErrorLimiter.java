package dev.vigil.border.host;

/**
 * Limits ICMPv6 errors (RFC 4443, section 2.4 f): a bucket of ten tokens, refilled with ten per
 * second.
 */
final class IcmpErrorLimiter {
  private static final long CAPACITY = 10;
  private static final long REFILL_MILLIS = 100;

  private long tokens = CAPACITY;
  private long refilledAt;

  /** Takes a token; false if there is none. */
  boolean take(long nowMillis) {
    long refill = (nowMillis - refilledAt) / REFILL_MILLIS;
    if (refill > 0) {
      tokens = Math.min(CAPACITY, tokens + refill);
      refilledAt = nowMillis;
    }
    if (tokens == 0) {
      return false;
    }
    tokens--;
    return true;
  }
}
