package dev.vigil.gateway.credentials;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Response;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.Problem;
import dev.vigil.gateway.problems.ProblemDetails;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

/**
 * Verifies the credentials of requests: operator's token, API tokens, tokens of links and sessions.
 * The principal of the {@link Authentication} is the caller's {@link Caller.Identity}, which {@link
 * HttpCallers#of} returns.
 */
public final class CredentialsFilter {
  private CredentialsFilter() {}

  public static AuthenticationFilter of(CredentialVerifier verifier) {
    AuthenticationManager manager = presented -> verified(verifier, presented);
    AuthenticationFilter filter = new AuthenticationFilter(manager, CredentialsFilter::presented);
    filter.setSuccessHandler(
        (request, _, authentication) -> {
          if (authentication.getPrincipal() instanceof Caller.Identity identity
              && authentication.getCredentials() instanceof Credentials credentials) {
            HttpCallers.setIdentity(
                request, identity, () -> verifier.areValid(credentials, identity));
            if (identity instanceof Caller.Anonymous && verifier.needNewPassword(credentials)) {
              ProblemDetails.explainUnauthorized(
                  request,
                  new ProblemException(
                      ProblemType.PASSWORD_CHANGE_NEEDED,
                      "change the one-time password first: PUT /api/session/password"));
            }
          }
        });
    filter.setFailureHandler((_, response, failure) -> refuse(response, failure));
    return filter;
  }

  /** Credentials and source of a request; null without credentials. */
  private static @Nullable Authentication presented(HttpServletRequest request) {
    Credentials credentials = Credentials.of(request);
    return credentials.isEmpty()
        ? null
        : new PreAuthenticatedAuthenticationToken(
            InetAddress.ofLiteral(request.getRemoteAddr()), credentials);
  }

  private static Authentication verified(CredentialVerifier verifier, Authentication presented) {
    if (presented.getPrincipal() instanceof InetAddress source
        && presented.getCredentials() instanceof Credentials credentials) {
      try {
        return new PreAuthenticatedAuthenticationToken(
            verifier.identify(credentials, source), credentials, List.of());
      } catch (ErrorResponseException e) {
        throw new BadCredentialsException(e.diagnostic(), e);
      }
    }
    throw new IllegalArgumentException("not the credentials of a request");
  }

  private static void refuse(HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    if (!(failure.getCause() instanceof ErrorResponseException refusal)) {
      throw failure;
    }
    int status = refusal.code().httpStatus();
    if (status == HttpServletResponse.SC_UNAUTHORIZED) {
      response.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
    }
    long maxAge = refusal.response().maxAge();
    if (maxAge != Response.NO_MAX_AGE) {
      response.setHeader("Retry-After", Long.toString(maxAge));
    }
    response.setHeader("Cache-Control", "no-store");
    Problem.send(response, ProblemType.of(refusal), status, refusal.diagnostic());
  }
}
