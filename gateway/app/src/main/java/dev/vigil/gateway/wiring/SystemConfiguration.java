package dev.vigil.gateway.wiring;

import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.server.Clocks;
import dev.vigil.gateway.time.SystemTime;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that every feature shares: time, randomness and the topics of observers. */
@Configuration(proxyBeanMethods = false)
class SystemConfiguration {
  @Bean
  Clock clock() {
    return SystemTime.CLOCK;
  }

  @Bean
  LongSupplier nanoTime() {
    return SystemTime.NANO_TIME;
  }

  @Bean
  Clocks clocks() {
    return new Clocks(SystemTime.CLOCK, SystemTime.NANO_TIME);
  }

  @Bean
  SecureRandom random() {
    return new SecureRandom();
  }

  @Bean
  Topics topics() {
    return new Topics();
  }
}
