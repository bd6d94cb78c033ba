package dev.vigil.gateway.wiring;

import dev.vigil.coap.exchange.RequestDispatcher;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DispatcherConfiguration {
  @Bean
  RequestDispatcher requestDispatcher(List<RouteProvider> providers) {
    return new RequestDispatcher(
        providers.stream().flatMap(provider -> provider.routes().stream()).toList());
  }
}
