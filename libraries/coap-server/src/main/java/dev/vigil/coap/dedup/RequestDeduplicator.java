package dev.vigil.coap.dedup;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.InMemoryMessageExchangeStore;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.MessageIdProvider;
import org.eclipse.californium.core.network.TokenGenerator;
import org.eclipse.californium.elements.config.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Californium's exchange store with a {@link BoundedDeduplicator}. A unicast GET is not stored:
 * answering a duplicate again costs less than storing the exchange, and RFC 7252 section 4.5
 * permits this for idempotent requests. A duplicate with Observe replaces the observation with the
 * same token (RFC 7641 section 4.1).
 *
 * <p>It also provides the IDs of new messages and omits those of open exchanges. A non-confirmable
 * notification keeps its ID at least until its observation sends the next one, and the IDs for a
 * peer may wrap around before that. Californium refuses a second message with an ID in use.
 */
public final class RequestDeduplicator extends InMemoryMessageExchangeStore
    implements MessageIdProvider {
  /** Number of IDs to try; bounds the work for a peer with very many observations. */
  private static final int MAX_TRIES = 1000;

  private final MessageIdProvider messageIds;

  /**
   * @param messageIds from which the IDs of new messages are chosen
   * @param nanoTime a monotonic clock, as {@link System#nanoTime}
   */
  public RequestDeduplicator(
      Configuration config,
      TokenGenerator tokens,
      MessageIdProvider messageIds,
      LongSupplier nanoTime) {
    super(config, tokens);
    this.messageIds = messageIds;
    setMessageIdProvider(this);
    setDeduplicator(
        new BoundedDeduplicator(
            config.get(CoapConfig.EXCHANGE_LIFETIME, TimeUnit.NANOSECONDS), nanoTime));
  }

  @Override
  public @Nullable Exchange findPrevious(KeyMID id, Exchange exchange) {
    Request request = exchange.getRequest();
    boolean unicastGet = request.getCode() == CoAP.Code.GET && !request.isMulticast();
    return unicastGet ? null : super.findPrevious(id, exchange);
  }

  /** The next ID that no open exchange with the peer uses; one in use if too many are. */
  @Override
  public int getNextMessageId(InetSocketAddress peer) {
    int id = messageIds.getNextMessageId(peer);
    for (int tries = 1; tries < MAX_TRIES && isInUse(id, peer); tries++) {
      id = messageIds.getNextMessageId(peer);
    }
    return id;
  }

  /** Californium's default matching identifies a peer by its address, also over DTLS. */
  private boolean isInUse(int id, InetSocketAddress peer) {
    return get(new KeyMID(id, peer)) != null;
  }
}
