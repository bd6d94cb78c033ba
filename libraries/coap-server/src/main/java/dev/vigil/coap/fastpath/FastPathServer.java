package dev.vigil.coap.fastpath;

import dev.vigil.coap.dedup.DedupTable;
import dev.vigil.coap.dispatch.RequestContext;
import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Route;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.MessageIdProvider;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.jspecify.annotations.Nullable;

/**
 * Serves requests of one datagram by responses of one datagram, without Californium's exchanges,
 * whose state for everything a request could become costs as much as the response.
 *
 * <p>It serves what {@link SimpleRequestCodec} decodes, on routes that allow it, and leaves other
 * datagrams to Californium untouched. A request whose response turns out late or long is passed on
 * with that response. Duplicates (RFC 7252 section 4.5) get the same response again, or wait for
 * the pending one. A GET is not checked for duplicates: it changes nothing and is answered again.
 */
public final class FastPathServer {
  private final FastPathExchange.Shared shared;
  private final RequestDispatcher dispatcher;

  /** The outcomes of recent requests; see {@link FastPathExchange}. */
  private final DedupTable<AtomicReference<byte @Nullable []>> recent;

  /** Requests that were received and that no worker has begun. */
  private final AtomicInteger waiting;

  public FastPathServer(
      Connector connector,
      RequestContext context,
      WorkerPool workers,
      MessageIdProvider messageIds,
      DedupTable<AtomicReference<byte @Nullable []>> recent,
      AtomicInteger waiting) {
    this.shared = new FastPathExchange.Shared(connector, context, workers, messageIds);
    this.dispatcher = context.dispatcher();
    this.recent = recent;
    this.waiting = waiting;
  }

  /**
   * Serves a datagram, if it can. Called by one thread at a time.
   *
   * @param californium receives the datagram if the request is passed on later
   * @param answersAtOnce whether the calling thread may answer a GET, which takes longer than to
   *     hand it to a worker
   * @return false if the caller must pass the datagram on to Californium
   */
  public boolean serve(RawData datagram, RawDataChannel californium, boolean answersAtOnce) {
    SimpleRequest message =
        datagram.isMulticast() ? null : SimpleRequestCodec.decode(datagram.getBytes());
    if (message == null) {
      return false;
    }
    Route route = dispatcher.route(message.path());
    if (!route.allowsFastPath(message.method(), message.query())) {
      return false;
    }
    FastPathExchange exchange = new FastPathExchange(shared, datagram, californium, message, route);
    if (message.method() == Method.GET) {
      if (answersAtOnce) {
        exchange.answer();
      } else {
        begin(exchange);
      }
      return true;
    }
    KeyMID key = new KeyMID(message.id(), datagram.getInetSocketAddress());
    AtomicReference<byte @Nullable []> earlier = recent.putIfAbsent(key, exchange.outcome());
    if (earlier != null) {
      return serveDuplicate(message, earlier.get(), datagram.getEndpointContext());
    }
    begin(exchange);
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

  /** Called in order of arrival, in which serialised requests are queued. */
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
