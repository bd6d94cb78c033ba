package dev.vigil.gateway.http;

import dev.vigil.gateway.callers.RequestHost;
import dev.vigil.gateway.problems.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;

/**
 * Refuses requests for hosts that are not the gateway's: 421 Misdirected Request (RFC 9110 section
 * 15.5.20). The answer does not repeat the host.
 */
final class HostFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final int MISDIRECTED_REQUEST = 421;

  private static final String DETAIL =
      "the gateway does not answer to this host name; vigil.http.allowed-hosts lists the names of"
          + " the gateway";

  private final transient AllowedHosts hosts;

  HostFilter(AllowedHosts hosts) {
    this.hosts = hosts;
  }

  @Override
  protected void doFilter(
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
