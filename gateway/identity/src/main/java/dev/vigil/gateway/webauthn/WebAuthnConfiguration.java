package dev.vigil.gateway.webauthn;

import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class WebAuthnConfiguration {
  @Bean
  Ceremonies passkeyCeremonies(SecureRandom random, Clock clock) {
    return new Ceremonies(random, clock);
  }
}
