package dev.vigil.gateway.oidc;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OidcConfiguration {
  @Bean
  SignInProvider signInProvider(OidcProperties properties, SecureRandom random, Clock clock)
      throws IOException {
    return new SignInProvider(properties, random, clock);
  }
}
