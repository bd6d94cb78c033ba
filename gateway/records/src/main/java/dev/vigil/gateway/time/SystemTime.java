package dev.vigil.gateway.time;

import java.time.Clock;
import java.util.function.LongSupplier;

/** The only code that reads the system time; all other code receives a clock. */
public final class SystemTime {
  public static final Clock CLOCK = Clock.systemUTC();

  /** Monotonic nanoseconds. */
  public static final LongSupplier NANO_TIME = System::nanoTime;

  private SystemTime() {}
}
