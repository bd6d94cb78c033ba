package dev.vigil.gateway.access;

import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.exchange.ExchangeServlet;
import dev.vigil.gateway.http.CredentialsFilter;
import dev.vigil.gateway.store.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
  private static final String TOKEN = "operator.token";

  @Bean
  DomainAccess access(VigilProperties properties) {
    return new DomainAccess(properties);
  }

  @Bean
  OperatorToken operatorToken(
      VigilProperties properties, DataFolder folder, SecureRandom random, Clock clock)
      throws IOException {
    String given = properties.operatorTokenFile();
    return given.isEmpty()
        ? OperatorToken.load(folder.resolve(TOKEN), random, clock)
        : OperatorToken.given(Path.of(given), clock);
  }

  @Bean
  FilterRegistrationBean<CredentialsFilter> credentialsFilter(OperatorToken token) {
    FilterRegistrationBean<CredentialsFilter> filter =
        new FilterRegistrationBean<>(new CredentialsFilter(token));
    filter.addUrlPatterns("/api/*");
    filter.addUrlPatterns(ExchangeServlet.PATHS.toArray(String[]::new));
    // Event streams are answered by another dispatch than the one that brought the header.
    filter.setAsyncSupported(true);
    return filter;
  }
}
