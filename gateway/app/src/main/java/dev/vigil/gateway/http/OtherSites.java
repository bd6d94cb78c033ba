package dev.vigil.gateway.http;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;

/**
 * The rights of pages of other sites (CORS, Fetch standard section 3.3). Pages of the origins that
 * the settings name may send requests without cookies and read the responses. For other origins
 * nothing is added to a response, so browsers withhold it.
 */
final class OtherSites implements CorsConfigurationSource {
  private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE");

  /** {@code X-Vigil-CSRF} is not among them: it would allow changes with a cookie. */
  private static final List<String> HEADERS =
      List.of(
          "Accept", "Authorization", "Content-Type", "If-Match", "If-None-Match", "Last-Event-ID");

  private static final List<String> READABLE =
      List.of("ETag", "Location", "Retry-After", StaleHeader.NAME);

  private final Set<String> origins;
  private final CorsConfiguration allowed = new CorsConfiguration();

  OtherSites(List<String> origins) {
    this.origins = Set.copyOf(origins);
    allowed.setAllowedOrigins(origins);
    allowed.setAllowedMethods(METHODS);
    allowed.setAllowedHeaders(HEADERS);
    allowed.setExposedHeaders(READABLE);
    allowed.setAllowCredentials(false);
    allowed.setMaxAge(Duration.ofHours(1));
  }

  @Override
  public @Nullable CorsConfiguration getCorsConfiguration(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    return origin != null && origins.contains(origin) ? allowed : null;
  }
}
