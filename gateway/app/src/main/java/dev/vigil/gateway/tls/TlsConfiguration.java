package dev.vigil.gateway.tls;

import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.SharedSecrets;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class TlsConfiguration {
  /**
   * @param companions obtained, like the secrets, only when files are created, because the web
   *     server's settings are read early
   */
  @Bean
  ServerCertificate serverCertificate(
      HttpProperties http,
      ObjectProvider<CompanionFiles> companions,
      ObjectProvider<SharedSecrets> secrets,
      Clock clock,
      SecureRandom random) {
    return new ServerCertificate(
        http,
        http.tls().isGenerated()
            ? new LocalAuthority(
                companions.getObject(),
                new CertificateIssuer(clock, random),
                secrets.getObject(),
                clock)
            : null);
  }
}
