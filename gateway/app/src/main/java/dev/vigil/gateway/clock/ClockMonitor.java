package dev.vigil.gateway.clock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Notices jumps of a clock by comparing it with the monotonic clock. Safe for any thread. */
final class ClockMonitor {
  /** Smaller steps between two checks are corrections of NTP. */
  static final Duration LEAST_JUMP = Duration.ofSeconds(5);

  private final Clock clock;
  private final LongSupplier nanoTime;
  private final @Nullable Instant newestStored;

  private Instant lastTime;
  private long lastNanos;
  private long forward;
  private long backward;
  private Duration jump = Duration.ZERO;
  private @Nullable Instant jumpAt;

  /**
   * @param nanoTime monotonic nanoseconds
   * @param newestStored the newest stored time; null when the store is empty
   */
  ClockMonitor(Clock clock, LongSupplier nanoTime, @Nullable Instant newestStored) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.newestStored = newestStored;
    this.lastTime = clock.instant();
    this.lastNanos = nanoTime.getAsLong();
  }

  /**
   * Compares the clocks since the last check.
   *
   * @return by how much the clock jumped, negative for a jump back; zero when it did not
   */
  synchronized Duration check() {
    Instant time = clock.instant();
    long nanos = nanoTime.getAsLong();
    Duration off = Duration.between(lastTime, time).minusNanos(nanos - lastNanos);
    lastTime = time;
    lastNanos = nanos;
    if (off.abs().compareTo(LEAST_JUMP) < 0) {
      return Duration.ZERO;
    }
    if (off.isNegative()) {
      backward++;
    } else {
      forward++;
    }
    jump = off;
    jumpAt = time;
    return off;
  }

  synchronized ClockState state() {
    Duration behind =
        newestStored == null ? Duration.ZERO : Duration.between(clock.instant(), newestStored);
    return new ClockState(
        forward, backward, jump, jumpAt, behind.isNegative() ? Duration.ZERO : behind);
  }
}
