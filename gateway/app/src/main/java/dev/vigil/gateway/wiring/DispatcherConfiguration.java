package dev.vigil.gateway.wiring;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.gateway.exchange.RouteProvider;
import dev.vigil.gateway.tracing.Tracing;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DispatcherConfiguration {
  @Bean
  RequestDispatcher requestDispatcher(List<RouteProvider> providers, Tracing tracing) {
    return new RequestDispatcher(
        providers.stream().flatMap(provider -> provider.routes().stream()).toList(),
        tracing.requests());
  }
}
