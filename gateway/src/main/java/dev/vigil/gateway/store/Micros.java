package dev.vigil.gateway.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as the database holds them: microseconds since 1970, UTC. */
final class Micros {
  private static final long PER_SECOND = 1_000_000;
  private static final int NANOS = 1_000;

  private Micros() {}

  static long of(Instant at) {
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), PER_SECOND), at.getNano() / NANOS);
  }

  static Instant toInstant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * NANOS);
  }

  /** So that a change looks the same when it lands and when it is read again. */
  static Instant truncate(Instant at) {
    return at.truncatedTo(ChronoUnit.MICROS);
  }
}
