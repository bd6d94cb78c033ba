package dev.vigil.gateway.http;

import dev.vigil.coap.exchange.ErrorResponseException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;

/**
 * Verifies credentials and attaches the identity, or the refusal, to the request. {@link
 * HttpCallers#of} returns or throws it, so that each adapter answers a refusal in its own format.
 */
public final class CredentialsFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private final transient CredentialVerifier credentials;

  public CredentialsFilter(CredentialVerifier credentials) {
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
        HttpCallers.setIdentity(request, credentials.identify(authorization, source));
      } catch (ErrorResponseException e) {
        HttpCallers.setRefusal(request, e);
      }
    }
    chain.doFilter(request, response);
  }
}
