package dev.vigil.directory.coap;

import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.InMemoryMessageExchangeStore;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.TokenGenerator;
import org.eclipse.californium.core.network.deduplication.Deduplicator;
import org.eclipse.californium.core.network.deduplication.SweepPerPeerDeduplicator;
import org.eclipse.californium.elements.config.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Remembers requests, so that one that comes twice is carried out once. Plain reads are not
 * remembered: they change nothing, and answering one again costs less than keeping it (RFC 7252
 * section 4.5 lets a server relax this for idempotent requests).
 *
 * <p>Californium bounds what it keeps of one peer, not how many peers there are, and whoever sends
 * is as many as it likes. So all is forgotten when it becomes too much: the next repetitions are
 * carried out again, which changes nothing, since numbers and versions are judged by the store.
 */
final class RequestMemory extends InMemoryMessageExchangeStore {
  /** Of all peers together; each request holds 4 KB. */
  private static final int MOST = 16_384;

  private final Deduplicator deduplicator;

  RequestMemory(Configuration config, TokenGenerator tokens) {
    super(config, tokens);
    deduplicator = new SweepPerPeerDeduplicator(config);
    setDeduplicator(deduplicator);
  }

  @Override
  public @Nullable Exchange findPrevious(KeyMID id, Exchange exchange) {
    Request request = exchange.getRequest();
    boolean plainRead =
        request.getCode() == CoAP.Code.GET
            && !request.getOptions().hasObserve()
            && !request.isMulticast();
    if (plainRead) {
      return null;
    }
    if (deduplicator.size() >= MOST) {
      deduplicator.clear();
    }
    return super.findPrevious(id, exchange);
  }

  /** How many requests it remembers. */
  int size() {
    return deduplicator.size();
  }
}
