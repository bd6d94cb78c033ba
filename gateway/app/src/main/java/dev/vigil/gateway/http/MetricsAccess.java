package dev.vigil.gateway.http;

import dev.vigil.gateway.callers.LocalCallers;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/**
 * Admits scrapers on this machine ({@link LocalCallers}) and scrapers with the token.
 *
 * @param token empty: only scrapers on this machine may read
 */
record MetricsAccess(String token) implements AuthorizationManager<RequestAuthorizationContext> {
  @Override
  public AuthorizationDecision authorize(
      Supplier<? extends @Nullable Authentication> caller, RequestAuthorizationContext context) {
    HttpServletRequest request = context.getRequest();
    return new AuthorizationDecision(
        LocalCallers.contain(request) || hasToken(request.getHeader("Authorization")));
  }

  private boolean hasToken(@Nullable String authorization) {
    return !token.isEmpty()
        && authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            ("Bearer " + token).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "MetricsAccess[token not shown]";
  }
}
