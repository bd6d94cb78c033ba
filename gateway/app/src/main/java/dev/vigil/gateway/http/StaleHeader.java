package dev.vigil.gateway.http;

import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.GatewayStore;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Marks each answer to an accepted request of a gateway that has no contact with its cluster: other
 * gateways may have newer values. {@code Age} (RFC 9111 section 5.1) would say how old a cached
 * answer is.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class StaleHeader extends OncePerRequestFilter {
  /** The seconds since the servers of the cluster last answered. */
  static final String NAME = "Vigil-Stale";

  private final LongSupplier seconds;

  @Autowired
  StaleHeader(GatewayStore store) {
    this(() -> store.contact().map(ClusterContact::silentSeconds).orElse(0L));
  }

  /**
   * @param seconds 0 while there is contact
   */
  StaleHeader(LongSupplier seconds) {
    this.seconds = seconds;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    long silent = seconds.getAsLong();
    if (silent > 0) {
      response.setHeader(NAME, Long.toString(silent));
    }
    chain.doFilter(request, response);
  }
}
