package dev.vigil.gateway.metrics;

import dev.vigil.gateway.callers.LocalCallers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Admits scrapers on this machine ({@link LocalCallers}) and scrapers with the token. */
final class MetricsAccessFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final String BEARER = "Bearer ";
  private final String token;

  /**
   * @param token empty: only scrapers on this machine may read
   */
  MetricsAccessFilter(String token) {
    this.token = token;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (LocalCallers.contain(request) || hasToken(request.getHeader("Authorization"))) {
      chain.doFilter(request, response);
      return;
    }
    response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    response.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
  }

  private boolean hasToken(@Nullable String authorization) {
    return !token.isEmpty()
        && authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            (BEARER + token).getBytes(StandardCharsets.UTF_8));
  }
}
