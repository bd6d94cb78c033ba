package dev.vigil.gateway.store;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/** Metrics of the contact with the servers of a cluster; 0 without a cluster. */
@Component
class ClusterMetrics implements MeterBinder {
  private static final double MILLIS = 1000;

  private final GatewayStore store;

  ClusterMetrics(GatewayStore store) {
    this.store = store;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge("vigil.cluster.silent", contact -> contact.silence().toMillis() / MILLIS)
        .baseUnit("seconds")
        .description("time since the servers last answered; 0 while there is contact")
        .register(registry);
    gauge("vigil.cluster.lag", ClusterContact::lag)
        .description("changes in the stream that this gateway does not have yet")
        .register(registry);
    gauge("vigil.cluster.servers.missing", contact -> contact.copies() - contact.servers())
        .description("servers that should have the whole stream and do not")
        .register(registry);
  }

  private Gauge.Builder<GatewayStore> gauge(String name, ToDoubleFunction<ClusterContact> value) {
    return Gauge.builder(name, store, s -> s.contact().map(value::applyAsDouble).orElse(0.0));
  }
}
