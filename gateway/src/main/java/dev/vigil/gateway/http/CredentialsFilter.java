package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.ExchangeException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;

/**
 * Notes who asks, or why that could not be found out. Whoever then wants to know is told by {@link
 * HttpCallers}, so that each adapter words the refusal as it words any other.
 */
public final class CredentialsFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Credentials credentials;

  public CredentialsFilter(Credentials credentials) {
    this.credentials = credentials;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String authorization = request.getHeader("Authorization");
    if (authorization != null) {
      try {
        InetAddress source = InetAddress.ofLiteral(request.getRemoteAddr());
        HttpCallers.identified(request, credentials.identify(authorization, source));
      } catch (ExchangeException e) {
        HttpCallers.refused(request, e);
      }
    }
    chain.doFilter(request, response);
  }
}
