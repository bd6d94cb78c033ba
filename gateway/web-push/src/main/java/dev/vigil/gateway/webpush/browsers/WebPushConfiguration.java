package dev.vigil.gateway.webpush.browsers;

import dev.vigil.gateway.store.SharedSecrets;
import dev.vigil.gateway.webpush.VapidKey;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The gateway's key for push services. */
@Configuration(proxyBeanMethods = false)
class WebPushConfiguration {
  @Bean
  VapidKey vapidKey(SharedSecrets secrets) {
    return VapidKey.of(secrets::derive);
  }
}
