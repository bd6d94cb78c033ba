package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.kinds.ClockUnsynchronised;
import dev.vigil.gateway.clock.ClockWatch;
import dev.vigil.gateway.clock.Synchronisation;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Measures the time for which the kernel's clock has not been synchronised. Used by one thread. */
@Component
final class ClockSynchronisation implements ClockUnsynchronised.Source {
  private final Supplier<Synchronisation> kernel;

  /** Monotonic: the clock itself may be set at any time. */
  private final LongSupplier nanoTime;

  /** The last sample that was not {@code LOST}, or the start. */
  private long synchronisedAt;

  private Synchronisation state = Synchronisation.UNKNOWN;

  @Autowired
  ClockSynchronisation(ClockWatch clock, LongSupplier nanoTime) {
    this(clock::synchronisation, nanoTime);
  }

  ClockSynchronisation(Supplier<Synchronisation> kernel, LongSupplier nanoTime) {
    this.kernel = kernel;
    this.nanoTime = nanoTime;
    this.synchronisedAt = nanoTime.getAsLong();
  }

  @Override
  public void sample() {
    state = kernel.get();
    if (state != Synchronisation.LOST) {
      synchronisedAt = nanoTime.getAsLong();
    }
  }

  @Override
  public OptionalLong unsynchronisedSeconds() {
    return switch (state) {
      case UNKNOWN -> OptionalLong.empty();
      case KEPT -> OptionalLong.of(0);
      case LOST ->
          OptionalLong.of(TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - synchronisedAt));
    };
  }
}
