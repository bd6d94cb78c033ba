package dev.vigil.gateway.month;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Seeded choices. */
record Chance(SplittableRandom dice) {
  /** Whole seconds, both ends included. */
  Duration between(Duration least, Duration most) {
    return Duration.ofSeconds(dice.nextLong(least.toSeconds(), most.toSeconds() + 1));
  }

  <T> T any(List<T> some) {
    return some.get(nextInt(some.size()));
  }

  int nextInt(int bound) {
    return dice.nextInt(bound);
  }

  int nextInt(int least, int bound) {
    return dice.nextInt(least, bound);
  }

  boolean nextBoolean() {
    return dice.nextBoolean();
  }
}
