package dev.vigil.border.rpl;

import java.util.random.RandomGenerator;

/**
 * The Trickle timer (RFC 6206, section 4.2); the caller passes the time.
 *
 * <p>Each interval of length I has one time t in [I/2, I) at which the message is sent, unless k
 * consistent messages were heard in the interval (k = 0: never suppressed). At its end the interval
 * doubles, up to the maximum. After an inconsistency the timer restarts with the shortest interval.
 */
final class Trickle {
  private final long minMillis;
  private final int doublings;
  private final int redundancy;
  private final RandomGenerator random;
  private long interval;
  private long intervalEnd;
  private long fireAt;
  private boolean fired;
  private int heard;

  /**
   * Makes a timer in its first interval.
   *
   * @param minMillis Imin, milliseconds
   * @param doublings the number of times that the interval doubles until it is the longest
   * @param redundancy k; 0 for no suppression
   */
  Trickle(long minMillis, int doublings, int redundancy, RandomGenerator random, long nowMillis) {
    if (minMillis < 2 || doublings < 0 || doublings > 30 || redundancy < 0) {
      throw new IllegalArgumentException(
          "Imin must be at least 2 ms, doublings 0 to 30, k at least 0");
    }
    this.minMillis = minMillis;
    this.doublings = doublings;
    this.redundancy = redundancy;
    this.random = random;
    this.interval = minMillis;
    begin(nowMillis);
  }

  /** Counts a consistent message (step 3). */
  void consistent() {
    heard++;
  }

  /** Restarts after an inconsistency (step 6), unless the interval is already the shortest. */
  void inconsistent(long nowMillis) {
    if (interval > minMillis) {
      interval = minMillis;
      begin(nowMillis);
    }
  }

  /** Runs the timer; true if the message is to be sent now (steps 4 and 5). */
  boolean tick(long nowMillis) {
    boolean send = false;
    if (!fired && nowMillis >= fireAt) {
      fired = true;
      send = redundancy == 0 || heard < redundancy;
    }
    if (nowMillis >= intervalEnd) {
      interval = Math.min(interval * 2, minMillis << doublings);
      // After a suspension of several intervals, the next interval begins now, not in the past.
      begin(nowMillis);
    }
    return send;
  }

  /** The time at which {@link #tick} is due, in milliseconds. */
  long deadline() {
    return fired ? intervalEnd : fireAt;
  }

  private void begin(long nowMillis) {
    heard = 0;
    fired = false;
    fireAt = nowMillis + interval / 2 + random.nextLong(interval - interval / 2);
    intervalEnd = nowMillis + interval;
  }
}
