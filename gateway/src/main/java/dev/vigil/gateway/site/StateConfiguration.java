package dev.vigil.gateway.site;

import dev.vigil.directory.exchange.Topics;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.store.SqliteStore;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What everything else stands on. */
@Configuration(proxyBeanMethods = false)
class StateConfiguration {
  @Bean
  SqliteStore store(VigilProperties properties) {
    NativeLibraries.unpackBelow(properties.dataFolder());
    return SqliteStore.open(properties.dataFolder());
  }

  @Bean
  Topics topics() {
    return new Topics();
  }

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  SecureRandom random() {
    return new SecureRandom();
  }
}
