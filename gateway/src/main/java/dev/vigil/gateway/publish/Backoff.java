package dev.vigil.gateway.publish;

import java.util.random.RandomGenerator;

/** How long to wait after failures in a row: twice as long each time, spread by a quarter. */
final class Backoff {
  private static final long FIRST_MILLIS = 2_000;
  private static final long MOST_MILLIS = 300_000;
  private static final int DOUBLINGS = 8;

  private Backoff() {}

  /**
   * @param failures in a row, from 1
   * @return milliseconds
   */
  static long after(int failures, RandomGenerator random) {
    long plain = Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(DOUBLINGS, failures - 1));
    return plain * 3 / 4 + random.nextLong(plain / 2);
  }
}
