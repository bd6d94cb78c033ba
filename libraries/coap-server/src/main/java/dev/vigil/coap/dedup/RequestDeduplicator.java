package dev.vigil.coap.dedup;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
 * Californium's exchange store with a {@link BoundedDeduplicator}. A plain GET is not stored:
 * answering a duplicate again costs less than storing the exchange, and RFC 7252 section 4.5
 * permits this for idempotent requests.
 */
public final class RequestDeduplicator extends InMemoryMessageExchangeStore {
  /**
   * @param nanoTime a monotonic clock, as {@link System#nanoTime}
   */
  public RequestDeduplicator(Configuration config, TokenGenerator tokens, LongSupplier nanoTime) {
    super(config, tokens);
    setDeduplicator(
        new BoundedDeduplicator(
            config.get(CoapConfig.EXCHANGE_LIFETIME, TimeUnit.NANOSECONDS), nanoTime));
  }

  @Override
  public @Nullable Exchange findPrevious(KeyMID id, Exchange exchange) {
    Request request = exchange.getRequest();
    boolean plainGet =
        request.getCode() == CoAP.Code.GET
            && !request.getOptions().hasObserve()
            && !request.isMulticast();
    return plainGet ? null : super.findPrevious(id, exchange);
  }
}
