package dev.vigil.gateway.access;

import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.exchange.ExchangeServlet;
import dev.vigil.gateway.http.CredentialVerifier;
import dev.vigil.gateway.http.CredentialsFilter;
import dev.vigil.gateway.store.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
  private static final String TOKEN = "operator.token";

  @Bean
  DomainAccess access(VigilProperties properties, NamedIdentities identities) {
    return new DomainAccess(properties, identities);
  }

  /** Null where the token is turned off: injected as an empty Optional. */
  @Bean
  @Nullable OperatorToken operatorToken(
      VigilProperties properties, DataFolder folder, SecureRandom random) throws IOException {
    if (!properties.accounts().operatorToken()) {
      return null;
    }
    String given = properties.operatorTokenFile();
    return given.isEmpty()
        ? OperatorToken.load(folder.resolve(TOKEN), random)
        : OperatorToken.given(Path.of(given));
  }

  @Bean
  FilterRegistrationBean<CredentialsFilter> credentialsFilter(CredentialVerifier verifier) {
    FilterRegistrationBean<CredentialsFilter> filter =
        new FilterRegistrationBean<>(new CredentialsFilter(verifier));
    filter.addUrlPatterns("/api/*");
    filter.addUrlPatterns(ExchangeServlet.PATHS.toArray(String[]::new));
    // Event streams are answered by another dispatch than the one that brought the header.
    filter.setAsyncSupported(true);
    return filter;
  }
}
