package dev.vigil.gateway.duties;

import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.GatewayStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** The duties of a cluster and its gateways, as this gateway sees them. */
@Component
class DutyMetrics implements MeterBinder {
  private static final double MILLIS = 1000;

  private final Duties duties;
  private final GatewayStore store;

  DutyMetrics(Duties duties, GatewayStore store) {
    this.duties = duties;
    this.store = store;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("vigil.cluster.duties", duties, d -> d.areHeld() ? 1 : 0)
        .description("1 while this gateway delivers, raises alarms and publishes for its cluster")
        .register(registry);
    Gauge.builder("vigil.cluster.holder", duties, d -> d.haveHolder() ? 1 : 0)
        .description("1 while some gateway of the cluster has the duties")
        .register(registry);
    Gauge.builder("vigil.cluster.gateways", duties, DutyMetrics::heard)
        .description("gateways of the cluster that were heard lately; 0 without a cluster")
        .register(registry);
    Gauge.builder("vigil.cluster.clock.difference", this, DutyMetrics::clockDifference)
        .baseUnit("seconds")
        .description("largest difference from a clock of the servers and of other gateways")
        .register(registry);
  }

  private static long heard(Duties duties) {
    return duties.gateways().stream().filter(one -> !one.isSilent()).count();
  }

  private double clockDifference() {
    return Stream.concat(
                store.contact().map(ClusterContact::ahead).stream(),
                duties.gateways().stream()
                    .filter(one -> !one.isSilent())
                    .map(ClusterGateway::ahead))
            .mapToLong(ahead -> ahead.abs().toMillis())
            .max()
            .orElse(0)
        / MILLIS;
  }
}
