package dev.vigil.coap.dispatch;

import dev.vigil.coap.exchange.Response;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.EndpointContext;

/**
 * The source of a request that the fast path began and then passed on to Californium, together with
 * its response. The response is late or longer than one message. Californium's path sends this
 * response instead of asking the resource again.
 */
public final class PendingResponseContext extends AddressEndpointContext {
  private final CompletableFuture<Response> response;

  public PendingResponseContext(EndpointContext source, CompletableFuture<Response> response) {
    super(source.getPeerAddress(), source.getVirtualHost(), source.getPeerIdentity());
    this.response = response;
  }

  public CompletableFuture<Response> response() {
    return response;
  }
}
