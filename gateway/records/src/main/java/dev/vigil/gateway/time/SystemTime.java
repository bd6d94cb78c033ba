package dev.vigil.gateway.time;

import java.time.Clock;
import java.util.function.LongSupplier;

/** The only place that asks the system for the time; everything else is given a clock. */
public final class SystemTime {
  public static final Clock CLOCK = Clock.systemUTC();

  /** Monotonic nanoseconds. */
  public static final LongSupplier NANO_TIME = System::nanoTime;

  private SystemTime() {}
}
