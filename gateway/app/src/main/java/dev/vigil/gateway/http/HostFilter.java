package dev.vigil.gateway.http;

import dev.vigil.gateway.callers.RequestHost;
import dev.vigil.gateway.problems.Problem;
import dev.vigil.gateway.publish.MirrorProperties;
import dev.vigil.gateway.tls.HttpProperties;
import dev.vigil.gateway.tls.ServerCertificate;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests for hosts that are not the gateway's: 421 Misdirected Request (RFC 9110 section
 * 15.5.20). The answer does not repeat the host.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class HostFilter extends OncePerRequestFilter {
  private static final int MISDIRECTED_REQUEST = 421;

  private static final String DETAIL =
      "the gateway does not answer to this host name; vigil.http.allowed-hosts lists the names of"
          + " the gateway";

  private final AllowedHosts hosts;

  /**
   * @throws IOException begins with "cannot" when the certificate cannot be read
   */
  HostFilter(HttpProperties http, MirrorProperties mirror, ServerCertificate certificate)
      throws IOException {
    this.hosts = AllowedHosts.of(http, mirror, certificate);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    InetAddress local = InetAddress.ofLiteral(request.getLocalAddr());
    if (hosts.permits(RequestHost.of(request), local)) {
      chain.doFilter(request, response);
    } else {
      Problem.send(response, MISDIRECTED_REQUEST, DETAIL);
    }
  }
}
