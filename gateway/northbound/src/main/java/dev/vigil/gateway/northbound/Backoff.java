package dev.vigil.gateway.northbound;

import java.util.random.RandomGenerator;

/**
 * The wait after consecutive failures. It doubles each time and has a jitter of a quarter.
 *
 * @param firstMillis the wait after the first failure
 * @param mostMillis the longest wait
 */
public record Backoff(long firstMillis, long mostMillis) {
  private static final int DOUBLINGS = 16;

  /**
   * @param failures number of consecutive failures, at least 1
   * @return milliseconds
   */
  public long after(int failures, RandomGenerator random) {
    long middle = Math.min(mostMillis, firstMillis << Math.min(DOUBLINGS, failures - 1));
    return middle * 3 / 4 + random.nextLong(middle / 2);
  }
}
