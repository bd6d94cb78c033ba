package dev.vigil.gateway.publish;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/**
 * Metrics for the number of endpoints that each remote directory shows and for failing
 * registrations.
 */
@Component
class PublishMetrics implements MeterBinder {
  private final Publishers publishers;

  PublishMetrics(Publishers publishers) {
    this.publishers = publishers;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (Publisher publisher : publishers.all()) {
      Gauge.builder("vigil.publish.shown", publisher, Publisher::shown)
          .description("endpoints that the remote directory shows")
          .tag("directory", publisher.address())
          .register(registry);
      Gauge.builder("vigil.publish.failing", publisher, p -> p.state().error() == null ? 0 : 1)
          .description("1 while the remote directory does not accept some endpoint")
          .tag("directory", publisher.address())
          .register(registry);
    }
  }
}
