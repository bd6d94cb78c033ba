package dev.vigil.gateway.northbound;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Metrics for the lag, the acknowledged changes and the lost readings of each destination. */
@Component
class NorthboundMetrics implements MeterBinder {
  private final Northbound northbound;

  NorthboundMetrics(Northbound northbound) {
    this.northbound = northbound;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (DeliveryLoop loop : northbound.all()) {
      Tags tags = Tags.of("destination", loop.name());
      Gauge.builder("vigil.northbound.waiting", loop, l -> l.cursor().waiting())
          .description("readings that the destination has not acknowledged")
          .tags(tags)
          .register(registry);
      Gauge.builder("vigil.northbound.lag", loop, DeliveryLoop::lagSeconds)
          .description("age of the oldest change that the destination has not acknowledged")
          .baseUnit("seconds")
          .tags(tags)
          .register(registry);
      Gauge.builder("vigil.northbound.failing", loop, l -> l.state().error() == null ? 0 : 1)
          .description("1 while the destination does not accept deliveries")
          .tags(tags)
          .register(registry);
      FunctionCounter.builder("vigil.northbound.delivered", loop, DeliveryLoop::delivered)
          .description("changes that the destination has acknowledged")
          .tags(tags)
          .register(registry);
      FunctionCounter.builder("vigil.northbound.failed", loop, DeliveryLoop::failed)
          .description("failed attempts to connect or deliver")
          .tags(tags)
          .register(registry);
      FunctionCounter.builder("vigil.northbound.refused", loop, DeliveryLoop::refused)
          .description("changes or messages that the destination refused permanently")
          .tags(tags)
          .register(registry);
      FunctionCounter.builder("vigil.northbound.lost", loop, l -> l.cursor().lost())
          .description("readings that retention removed before they could be delivered")
          .tags(tags)
          .register(registry);
    }
  }
}
