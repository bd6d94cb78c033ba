package dev.vigil.gateway.operations;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Lets a scraper in that comes from this machine or brings the token. */
final class MetricsGuard extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final String BEARER = "Bearer ";

  private final String token;

  /**
   * @param token empty when nobody from outside may read
   */
  MetricsGuard(String token) {
    this.token = token;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean here = InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress();
    if (here || brings(request.getHeader("Authorization"))) {
      chain.doFilter(request, response);
      return;
    }
    response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    response.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
  }

  private boolean brings(@Nullable String authorization) {
    return !token.isEmpty()
        && authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            (BEARER + token).getBytes(StandardCharsets.UTF_8));
  }
}
