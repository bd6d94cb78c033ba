package dev.vigil.gateway.northbound.webhook;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** The number of dead letters of each webhook. */
@Component
class WebhookMetrics implements MeterBinder {
  private final WebhookDestinations webhooks;
  private final DeadLetters deadLetters;

  WebhookMetrics(WebhookDestinations webhooks, DeadLetters deadLetters) {
    this.webhooks = webhooks;
    this.deadLetters = deadLetters;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (WebhookDestination one : webhooks.webhooks()) {
      Gauge.builder(
              "vigil.northbound.dead.letters",
              deadLetters,
              letters -> letters.of(one.webhook()).size())
          .description("events that the server refused permanently")
          .tag("destination", one.name())
          .register(registry);
    }
  }
}
