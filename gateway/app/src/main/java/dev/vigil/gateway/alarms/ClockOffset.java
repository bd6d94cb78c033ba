package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.kinds.ClockSet;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.stereotype.Component;

/** Compares the wall clock with the monotonic clock. Used by one thread. */
@Component
final class ClockOffset implements ClockSet.Source {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final double MILLIS_PER_SECOND = 1000;

  private final Clock clock;
  private final LongSupplier nanoTime;

  /** Wall clock minus monotonic time at the last sample, in milliseconds. */
  private long offset;

  private double jump;

  ClockOffset(Clock clock, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.offset = offset();
  }

  private long offset() {
    return clock.millis() - nanoTime.getAsLong() / NANOS_PER_MILLI;
  }

  @Override
  public void sample() {
    long now = offset();
    jump = Math.abs(now - offset) / MILLIS_PER_SECOND;
    offset = now;
  }

  @Override
  public double jumpSeconds() {
    return jump;
  }
}
