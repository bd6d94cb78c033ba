package dev.vigil.gateway.duties;

import dev.vigil.gateway.cluster.ClusterProperties;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Whether this gateway has the duties of its cluster. */
@Component
class DutyMetrics implements MeterBinder {
  private final Duties duties;
  private final ClusterProperties cluster;

  DutyMetrics(Duties duties, ClusterProperties cluster) {
    this.duties = duties;
    this.cluster = cluster;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    if (cluster.isShared()) {
      Gauge.builder("vigil.cluster.duties", duties, d -> d.areHeld() ? 1 : 0)
          .description("1 while this gateway has the duties of its cluster")
          .register(registry);
    }
  }
}
