package dev.vigil.gateway.clock;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Jumps of the clock, how far it is behind stored times, and whether NTP synchronises it. */
@Component
class ClockMetrics implements MeterBinder {
  private static final String JUMPS = "vigil.clock.jumps";

  private final ClockWatch clock;

  ClockMetrics(ClockWatch clock) {
    this.clock = clock;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder(JUMPS, clock, c -> c.state().forwardJumps())
        .description("jumps of the machine's clock by five seconds or more")
        .tag("direction", "forward")
        .register(registry);
    FunctionCounter.builder(JUMPS, clock, c -> c.state().backwardJumps())
        .description("jumps of the machine's clock by five seconds or more")
        .tag("direction", "backward")
        .register(registry);
    Gauge.builder("vigil.clock.behind.store", clock, c -> c.state().behindStore().toSeconds())
        .description("time until the clock reaches the newest time stored before the start")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder("vigil.clock.synchronised", clock, c -> c.synchronisation().figure())
        .description("1 while NTP keeps the clock; NaN where the system does not report it")
        .register(registry);
  }
}
