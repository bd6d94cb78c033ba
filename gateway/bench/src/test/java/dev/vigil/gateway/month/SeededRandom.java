package dev.vigil.gateway.month;

import java.security.SecureRandom;
import java.util.SplittableRandom;

/** A source of repeatable numbers where the gateway wants secret ones. */
final class SeededRandom extends SecureRandom {
  private static final long serialVersionUID = 1;

  private final transient SplittableRandom source;

  SeededRandom(long seed) {
    super(null, null);
    source = new SplittableRandom(seed);
  }

  @Override
  public synchronized void nextBytes(byte[] bytes) {
    source.nextBytes(bytes);
  }

  @Override
  public void setSeed(long seed) {
    // Seeded for good.
  }
}
