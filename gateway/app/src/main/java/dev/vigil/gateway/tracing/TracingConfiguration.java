package dev.vigil.gateway.tracing;

import java.net.URI;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class TracingConfiguration {
  @Bean
  Tracing tracing(TracingProperties settings, Clock clock, LongSupplier nanoTime) {
    URI collector = settings.otlp();
    return collector == null
        ? Tracing.OFF
        : OpenTelemetryTracing.to(collector, settings.ratio(), clock, nanoTime);
  }
}
