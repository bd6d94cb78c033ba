package dev.vigil.gateway.publish;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** How many endpoints other directories show, and whether they take them. */
@Component
class PublishMeters implements MeterBinder {
  private final Publishers publishers;

  PublishMeters(Publishers publishers) {
    this.publishers = publishers;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (Publisher one : publishers.all()) {
      Gauge.builder("vigil.publish.shown", one, Publisher::shown)
          .description("endpoints that the other directory shows")
          .tag("directory", one.address())
          .register(registry);
      Gauge.builder("vigil.publish.failing", one, p -> p.state().error() == null ? 0 : 1)
          .description("1 while the other directory does not take some endpoint")
          .tag("directory", one.address())
          .register(registry);
    }
  }
}
