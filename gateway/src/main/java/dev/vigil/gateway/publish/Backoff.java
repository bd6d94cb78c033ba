package dev.vigil.gateway.publish;

import java.util.random.RandomGenerator;

/** The wait after consecutive failures: doubles each time, with a jitter of a quarter. */
final class Backoff {
  private static final long FIRST_MILLIS = 2_000;
  private static final long MOST_MILLIS = 300_000;
  private static final int DOUBLINGS = 8;

  private Backoff() {}

  /**
   * @param failures consecutive failures, from 1
   * @return milliseconds
   */
  static long after(int failures, RandomGenerator random) {
    long middle = Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(DOUBLINGS, failures - 1));
    return middle * 3 / 4 + random.nextLong(middle / 2);
  }
}
