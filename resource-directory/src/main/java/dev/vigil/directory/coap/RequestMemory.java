package dev.vigil.directory.coap;

import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.InMemoryMessageExchangeStore;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.TokenGenerator;
import org.eclipse.californium.elements.config.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Remembers requests, so that one that comes twice is carried out once. Plain reads are not
 * remembered: they change nothing, and answering one again costs less than keeping it (RFC 7252
 * section 4.5 lets a server relax this for idempotent requests).
 */
final class RequestMemory extends InMemoryMessageExchangeStore {
  RequestMemory(Configuration config, TokenGenerator tokens) {
    super(config, tokens);
    setDeduplicator(
        new Recent(
            config.get(CoapConfig.EXCHANGE_LIFETIME, TimeUnit.NANOSECONDS), System::nanoTime));
  }

  @Override
  public @Nullable Exchange findPrevious(KeyMID id, Exchange exchange) {
    Request request = exchange.getRequest();
    boolean plainRead =
        request.getCode() == CoAP.Code.GET
            && !request.getOptions().hasObserve()
            && !request.isMulticast();
    return plainRead ? null : super.findPrevious(id, exchange);
  }
}
