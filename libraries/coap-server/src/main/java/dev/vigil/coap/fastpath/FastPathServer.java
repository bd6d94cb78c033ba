package dev.vigil.coap.fastpath;

import dev.vigil.coap.dedup.DedupTable;
import dev.vigil.coap.dispatch.RequestContext;
import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.message.EchoVerifier;
import dev.vigil.coap.message.RenderedResponse;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.network.MessageIdProvider;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.jspecify.annotations.Nullable;

/**
 * Serves requests of one datagram with responses of one datagram, without Californium's exchanges.
 * The state of such an exchange costs as much as the response.
 *
 * <p>It serves the requests that {@link SimpleRequestCodec} decodes, on routes that allow the fast
 * path, and leaves other datagrams to Californium untouched. A request whose response turns out
 * late or long is passed on with that response. Duplicates (RFC 7252 section 4.5) get the same
 * response again, or wait for the pending one. A GET is not checked for duplicates, because it
 * changes nothing and can be answered again.
 *
 * <p>While the workers are behind, it challenges requests from unverified sources that it would
 * otherwise leave to Californium.
 */
public final class FastPathServer {
  private final FastPathExchange.Shared shared;
  private final RequestDispatcher dispatcher;

  /** The outcomes of recent requests; see {@link FastPathExchange}. */
  private final DedupTable<AtomicReference<byte @Nullable []>> recent;

  /** Received requests that no worker has started. */
  private final AtomicInteger waiting;

  public FastPathServer(
      Connector connector,
      RequestContext context,
      WorkerPool workers,
      MessageIdProvider messageIds,
      DedupTable<AtomicReference<byte @Nullable []>> recent,
      AtomicInteger waiting) {
    this.shared = new FastPathExchange.Shared(connector, context, workers, messageIds, recent);
    this.dispatcher = context.dispatcher();
    this.recent = recent;
    this.waiting = waiting;
  }

  /**
   * Serves a datagram if possible. Called by one thread at a time.
   *
   * @param californium receives the datagram if the request is passed on later
   * @return false if the caller must pass the datagram on to Californium
   */
  public boolean serve(RawData datagram, RawDataChannel californium, Load load) {
    if (datagram.isMulticast()) {
      return false;
    }
    SimpleRequest message = SimpleRequestCodec.decode(datagram.getBytes());
    if (message == null) {
      return load == Load.BEHIND && challenge(datagram);
    }
    Route route = dispatcher.route(message.path());
    if (!route.allowsFastPath(message.method(), message.query())) {
      return load == Load.BEHIND && challenge(datagram, message);
    }
    FastPathExchange exchange =
        new FastPathExchange(shared, datagram, californium, message, route, load);
    if (message.method() == Method.GET) {
      if (load == Load.IDLE) {
        exchange.answer();
      } else {
        begin(exchange);
      }
      return true;
    }
    AtomicReference<byte @Nullable []> earlier =
        recent.putIfAbsent(exchange.key(), exchange.outcome());
    if (earlier != null) {
      return serveDuplicate(message, earlier.get(), datagram.getEndpointContext());
    }
    begin(exchange);
    return true;
  }

  private boolean challenge(RawData datagram) {
    SimpleRequest message = SimpleRequestCodec.decodeForChallenge(datagram.getBytes());
    return message != null && challenge(datagram, message);
  }

  /**
   * Asks an unverified source to repeat its request with Echo (RFC 9175 section 2.3), instead of
   * keeping Californium's state for an address that may be forged.
   *
   * @return false for a verified source
   */
  private boolean challenge(RawData datagram, SimpleRequest message) {
    InetSocketAddress local = shared.connector().getAddress();
    EndpointContext source = datagram.getEndpointContext();
    boolean wasShown =
        message.echo().length > 0
            && shared.context().verified().contains(source.getPeerAddress().getAddress());
    if (wasShown) {
      // Californium's path checks the Echo option; the check costs as much as the rest of this
      // method.
      return false;
    }
    Caller caller = shared.context().caller(local, source, false, message.echo());
    if (caller.verified()) {
      return false;
    }
    EchoVerifier.LimitedResponse limited =
        shared.context().echo().limit(caller, datagram.getSize(), EchoVerifier.CHALLENGE);
    RenderedResponse rendered = RenderedResponse.of(limited.response(), List.of());
    byte[] response = FastPathExchange.encoded(shared, message, caller, rendered, limited.echo());
    if (response != FastPathExchange.NO_RESPONSE) {
      shared.connector().send(RawData.outbound(response, source, null, false));
    }
    return true;
  }

  /**
   * @param outcome of the first copy of the request; null while its response is pending
   */
  private boolean serveDuplicate(
      SimpleRequest message, byte @Nullable [] outcome, EndpointContext source) {
    if (outcome == FastPathExchange.PASSED_ON) {
      return false;
    }
    if (outcome != null && outcome != FastPathExchange.NO_RESPONSE && message.confirmable()) {
      shared.connector().send(RawData.outbound(outcome, source, null, false));
    }
    return true;
  }

  /** Called in the order of arrival, so that serialised requests are queued in this order. */
  private void begin(FastPathExchange exchange) {
    waiting.incrementAndGet();
    Runnable task =
        () -> {
          waiting.decrementAndGet();
          exchange.answer();
        };
    try {
      if (!exchange.submit(task)) {
        waiting.decrementAndGet();
        exchange.respond(RequestContext.OVERLOADED);
      }
    } catch (RejectedExecutionException e) {
      // The server has closed; the client will retransmit the request.
      waiting.decrementAndGet();
    }
  }
}
