package dev.vigil.gateway.operations;

import dev.vigil.gateway.http.RequestHost;
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
import java.util.Collections;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Admits scrapers on this machine and scrapers with the token. A proxy on this machine acts for
 * others: it is recognised by its forwarding headers. A page of another site can make its name
 * resolve to this machine (DNS rebinding): it is recognised by the Host header.
 */
final class MetricsAccessFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final String BEARER = "Bearer ";
  private static final Pattern FORWARDING_HEADER =
      Pattern.compile(
          "forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*"
              + "|true-client-ip|cf-connecting-ip",
          Pattern.CASE_INSENSITIVE);

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
    String host = RequestHost.of(request);
    return InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
        && host != null
        && RequestHost.isLoopback(host)
        && Collections.list(request.getHeaderNames()).stream()
            .noneMatch(name -> FORWARDING_HEADER.matcher(name).matches());
  }

  private boolean hasToken(@Nullable String authorization) {
    return !token.isEmpty()
        && authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            (BEARER + token).getBytes(StandardCharsets.UTF_8));
  }
}
