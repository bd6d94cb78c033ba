package dev.vigil.gateway.records;

import dev.vigil.store.Store;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RecordsConfiguration {
  @Bean
  Records records(Store store, Clock clock) {
    return new Records(store, clock);
  }
}
