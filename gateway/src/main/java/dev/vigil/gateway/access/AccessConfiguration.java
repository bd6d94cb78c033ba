package dev.vigil.gateway.access;

import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.http.CredentialsFilter;
import dev.vigil.gateway.http.SiteServlet;
import dev.vigil.gateway.store.SqliteStore;
import java.io.IOException;
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

  /** The store comes first: the folder is then there, and ours alone. */
  @Bean
  OperatorToken operatorToken(SqliteStore store, SecureRandom random, Clock clock)
      throws IOException {
    return OperatorToken.load(store.folder().resolve(TOKEN), random, clock);
  }

  @Bean
  FilterRegistrationBean<CredentialsFilter> credentialsFilter(OperatorToken token) {
    FilterRegistrationBean<CredentialsFilter> filter =
        new FilterRegistrationBean<>(new CredentialsFilter(token));
    filter.addUrlPatterns("/api/*");
    filter.addUrlPatterns(SiteServlet.PATHS.toArray(String[]::new));
    // Event streams are answered by another dispatch than the one that brought the header.
    filter.setAsyncSupported(true);
    return filter;
  }
}
