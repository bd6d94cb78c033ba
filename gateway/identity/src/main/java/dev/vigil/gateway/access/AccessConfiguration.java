package dev.vigil.gateway.access;

import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.SharedSecrets;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
  private static final String TOKEN = "operator.token";

  /** Null when the token is disabled; Spring injects it as an empty Optional. */
  @Bean
  @Nullable OperatorToken operatorToken(
      AccessSettings settings, DataFolder folder, Secrets secrets, SharedSecrets shared)
      throws IOException {
    if (!settings.operatorToken()) {
      return null;
    }
    String given = settings.operatorTokenFile();
    return given.isEmpty()
        ? OperatorToken.load(folder.resolve(TOKEN), secrets, shared)
        : OperatorToken.given(Path.of(given));
  }
}
