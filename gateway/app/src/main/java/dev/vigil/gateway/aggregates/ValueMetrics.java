package dev.vigil.gateway.aggregates;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Metrics of older signed values. */
@Component
class ValueMetrics implements MeterBinder {
  private static final String REMOVED = "vigil.history.values.removed";

  private final ValueLimits limits;

  ValueMetrics(ValueLimits limits) {
    this.limits = limits;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("vigil.history.values.size", limits, ValueLimits::octets)
        .baseUnit("bytes")
        .description("octets of older signed values")
        .register(registry);
    FunctionCounter.builder(REMOVED, limits, ValueLimits::expired)
        .tag("reason", "age")
        .description("older signed values that were deleted")
        .register(registry);
    FunctionCounter.builder(REMOVED, limits, ValueLimits::removedEarly)
        .tag("reason", "disk")
        .description("older signed values that were deleted")
        .register(registry);
  }
}
