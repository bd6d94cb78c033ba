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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a scraper in that comes from this machine or brings the token. A proxy on this machine
 * speaks for others, and a page of another site, whose name was made to mean this machine, for
 * nobody here: the one says for whom it asks, the other whom it meant to ask.
 */
final class MetricsGuard extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final String BEARER = "Bearer ";
  private static final List<String> OF_PROXIES =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

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
    if (isFromHere(request) || brings(request.getHeader("Authorization"))) {
      chain.doFilter(request, response);
      return;
    }
    response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    response.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
  }

  private static boolean isFromHere(HttpServletRequest request) {
    return InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
        && isLoopback(request.getServerName())
        && OF_PROXIES.stream().allMatch(name -> request.getHeader(name) == null);
  }

  private static boolean isLoopback(String host) {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    try {
      return bare.equalsIgnoreCase("localhost") || InetAddress.ofLiteral(bare).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean brings(@Nullable String authorization) {
    return !token.isEmpty()
        && authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            (BEARER + token).getBytes(StandardCharsets.UTF_8));
  }
}
