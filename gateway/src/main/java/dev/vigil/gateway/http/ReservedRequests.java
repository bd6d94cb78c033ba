package dev.vigil.gateway.http;

import dev.vigil.coap.exchange.ErrorResponseException;
import java.net.InetAddress;
import java.util.function.Supplier;
import org.apache.coyote.Request;
import org.jspecify.annotations.Nullable;

/** The requests for which the reserve of connections is: for health, and those of operators. */
final class ReservedRequests {
  private static final String HEALTH = "/actuator/health";

  private final Supplier<CredentialVerifier> credentials;

  ReservedRequests(Supplier<CredentialVerifier> credentials) {
    this.credentials = credentials;
  }

  boolean contains(Request request, InetAddress source) {
    String path = String.valueOf(request.requestURI());
    return path.equals(HEALTH)
        || path.startsWith(HEALTH + "/")
        || isOperator(request.getHeader("Authorization"), source);
  }

  private boolean isOperator(@Nullable String authorization, InetAddress source) {
    if (authorization == null) {
      return false;
    }
    try {
      credentials.get().identify(authorization, source);
      return true;
    } catch (ErrorResponseException e) {
      return false;
    }
  }
}
