package dev.vigil.gateway.http;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.credentials.CredentialVerifier;
import dev.vigil.gateway.credentials.Credentials;
import java.net.InetAddress;
import java.util.function.Supplier;
import org.apache.coyote.Request;

/** The requests for which the reserve of connections is: for health, and those with credentials. */
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
        || isKnown(
            Credentials.of(request.getHeader("Authorization"), request.getHeader("Cookie")),
            source);
  }

  private boolean isKnown(Credentials presented, InetAddress source) {
    if (presented.isEmpty()) {
      return false;
    }
    try {
      return !(credentials.get().identify(presented, source) instanceof Caller.Anonymous);
    } catch (ErrorResponseException e) {
      return false;
    }
  }
}
