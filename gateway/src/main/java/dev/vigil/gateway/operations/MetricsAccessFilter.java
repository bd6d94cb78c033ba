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
 * Admits scrapers on this machine and scrapers with the token. A proxy on this machine acts for
 * others: it is recognised by its forwarding headers. A page of another site can make its name
 * resolve to this machine (DNS rebinding): it is recognised by the Host header.
 */
final class MetricsAccessFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final String BEARER = "Bearer ";
  private static final List<String> FORWARDING_HEADERS =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

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
    if (isLocal(request) || hasToken(request.getHeader("Authorization"))) {
      chain.doFilter(request, response);
      return;
    }
    response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    response.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
  }

  private static boolean isLocal(HttpServletRequest request) {
    return InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
        && isLoopback(request.getServerName())
        && FORWARDING_HEADERS.stream().allMatch(name -> request.getHeader(name) == null);
  }

  private static boolean isLoopback(String host) {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    try {
      return bare.equalsIgnoreCase("localhost") || InetAddress.ofLiteral(bare).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean hasToken(@Nullable String authorization) {
    return !token.isEmpty()
        && authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            (BEARER + token).getBytes(StandardCharsets.UTF_8));
  }
}
