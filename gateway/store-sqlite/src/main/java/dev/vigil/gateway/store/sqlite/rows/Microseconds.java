package dev.vigil.gateway.store.sqlite.rows;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times in the database: microseconds since 1970, UTC. */
public final class Microseconds {
  private static final long PER_SECOND = 1_000_000;
  private static final int NANOS = 1_000;

  private Microseconds() {}

  public static long of(Instant at) {
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), PER_SECOND), at.getNano() / NANOS);
  }

  public static Instant toInstant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * NANOS);
  }

  /**
   * Truncates a time to the stored precision, so that followers see the same time as later readers.
   */
  public static Instant truncate(Instant at) {
    return at.truncatedTo(ChronoUnit.MICROS);
  }
}
