package dev.vigil.gateway.duties;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Whether this gateway has the duties of its cluster. */
@Component
class DutyMetrics implements MeterBinder {
  private final Duties duties;

  DutyMetrics(Duties duties) {
    this.duties = duties;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("vigil.cluster.duties", duties, d -> d.areHeld() ? 1 : 0)
        .description("1 while this gateway delivers, raises alarms and publishes for its cluster")
        .register(registry);
  }
}
