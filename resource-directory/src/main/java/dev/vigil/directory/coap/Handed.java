package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Response;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.EndpointContext;

/** Where a request came from whose answer is being made, or is there and longer than a message. */
final class Handed extends AddressEndpointContext {
  private final CompletableFuture<Response> answer;

  Handed(EndpointContext context, CompletableFuture<Response> answer) {
    super(context.getPeerAddress(), context.getVirtualHost(), context.getPeerIdentity());
    this.answer = answer;
  }

  CompletableFuture<Response> answer() {
    return answer;
  }
}
