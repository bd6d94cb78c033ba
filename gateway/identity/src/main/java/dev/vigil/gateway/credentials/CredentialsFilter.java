package dev.vigil.gateway.credentials;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
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
 *
 * <p>A request that changes something with a session's cookie needs a header that pages of other
 * sites cannot send. {@link CrossSiteFilter} refuses them before, by what browsers tell of them.
 */
public final class CredentialsFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  /** The header of requests that change something in a session; its value does not matter. */
  public static final String CSRF_HEADER = "X-Vigil-CSRF";

  private final transient CredentialVerifier verifier;

  public CredentialsFilter(CredentialVerifier verifier) {
    this.verifier = verifier;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Credentials credentials =
        Credentials.of(request.getHeader("Authorization"), request.getHeader("Cookie"));
    if (!credentials.isEmpty()) {
      try {
        requireOwnPage(credentials, request);
        InetAddress source = InetAddress.ofLiteral(request.getRemoteAddr());
        Caller.Identity identity = verifier.identify(credentials, source);
        HttpCallers.setIdentity(request, identity, () -> verifier.areValid(credentials, identity));
      } catch (ErrorResponseException e) {
        HttpCallers.setRefusal(request, e);
      }
    }
    chain.doFilter(request, response);
  }

  private static void requireOwnPage(Credentials credentials, HttpServletRequest request) {
    if (credentials.areAmbient()
        && !CrossSiteFilter.SAFE_METHODS.contains(request.getMethod())
        && request.getHeader(CSRF_HEADER) == null) {
      throw new ProblemException(
          ProblemType.OTHER_SITE,
          "a request that changes something with a session's cookie needs the header "
              + CSRF_HEADER
              + ": 1");
    }
  }
}
