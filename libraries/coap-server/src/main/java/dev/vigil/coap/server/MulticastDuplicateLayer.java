package dev.vigil.coap.server;

import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.stack.AbstractLayer;

/**
 * Ignores duplicates of requests to a group. Californium would acknowledge them although they are
 * not confirmable, and would repeat the response without delay or rate limit.
 */
final class MulticastDuplicateLayer extends AbstractLayer {
  @Override
  public void receiveRequest(Exchange exchange, Request request) {
    if (!request.isMulticast() || !request.isDuplicate()) {
      super.receiveRequest(exchange, request);
    }
  }
}
