package dev.vigil.coap.fastpath;

import dev.vigil.coap.dedup.DedupTable;
import dev.vigil.coap.dispatch.PendingResponseContext;
import dev.vigil.coap.dispatch.RequestContext;
import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.log.RateLimitedLog;
import dev.vigil.coap.message.EchoVerifier;
import dev.vigil.coap.message.RenderedResponse;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.MessageIdProvider;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.jspecify.annotations.Nullable;

/**
 * One request on the fast path, and its response.
 *
 * <p>The first thread that sets the outcome decides it; the outcome is kept for duplicates of the
 * request. It is the datagram that was sent, {@link #NO_RESPONSE}, or {@link #PASSED_ON}; null
 * while the response is pending.
 */
final class FastPathExchange {
  private static final RateLimitedLog log = RateLimitedLog.of(FastPathExchange.class);

  /**
   * The outcome of a request that was passed on to Californium because its response is long or
   * late.
   */
  static final byte[] PASSED_ON = {};

  /** The outcome of a non-confirmable request whose client wants no response (RFC 7967). */
  static final byte[] NO_RESPONSE = {};

  /** The parts of a server that all its exchanges share. */
  record Shared(
      Connector connector,
      RequestContext context,
      WorkerPool workers,
      MessageIdProvider messageIds,
      DedupTable<AtomicReference<byte @Nullable []>> recent) {}

  private final Shared shared;
  private final RawData datagram;
  private final RawDataChannel californium;
  private final SimpleRequest message;
  private final Route route;
  private final Load load;
  private final AtomicReference<byte @Nullable []> outcome = new AtomicReference<>();
  private final Caller caller;
  private final Request request;

  /**
   * @param californium receives the datagram if the request is passed on
   */
  FastPathExchange(
      Shared shared,
      RawData datagram,
      RawDataChannel californium,
      SimpleRequest message,
      Route route,
      Load load) {
    this.shared = shared;
    this.datagram = datagram;
    this.californium = californium;
    this.message = message;
    this.route = route;
    this.load = load;
    InetSocketAddress local = shared.connector().getAddress();
    RequestContext context = shared.context();
    this.caller = context.caller(local, datagram.getEndpointContext(), false, message.echo());
    this.request =
        message.request(
            caller,
            context.baseUris().ofSocket(CoAP.COAP_URI_SCHEME, local, caller.source().getAddress()));
  }

  AtomicReference<byte @Nullable []> outcome() {
    return outcome;
  }

  /**
   * Lets the resource answer after earlier requests with the same key.
   *
   * @return false if too many of them are waiting; the task will not run
   */
  boolean submit(Runnable task) {
    return shared.context().execute(route, request, shared.workers(), task);
  }

  /** The source and the message ID, which identify duplicates. */
  KeyMID key() {
    return new KeyMID(message.id(), datagram.getInetSocketAddress());
  }

  /** Lets the resource answer on the calling thread. */
  void answer() {
    CompletableFuture<Response> response =
        shared.context().dispatcher().answer(route, request, datagram.getReceiveNanoTimestamp());
    if (response.isDone()) {
      respond(response.join());
      return;
    }
    response.thenAccept(late -> shared.workers().execute(() -> respond(late)));
    if (message.confirmable()) {
      shared.context().separateResponses().watch(response, () -> passOn(response));
    }
  }

  void respond(Response response) {
    try {
      if (load != Load.BEHIND
          && message.method() == Method.GET
          && response.code() == Code.CONTENT
          && EchoVerifier.needsBlocks(caller, datagram.getSize(), response.payload().length)) {
        passOn(CompletableFuture.completedFuture(response));
        return;
      }
      EchoVerifier.LimitedResponse limited =
          shared.context().echo().limit(caller, datagram.getSize(), response);
      RenderedResponse rendered = RenderedResponse.of(limited.response(), message.tags());
      if (rendered.payload().length > RenderedResponse.MAX_PAYLOAD) {
        passOn(CompletableFuture.completedFuture(response));
      } else {
        send(
            encoded(shared, message, caller, rendered, limited.echo()),
            limited.response().code().isSuccess());
      }
    } catch (RuntimeException e) {
      log.error("cannot send the response to {} {}", request.method(), request.pathAsText(), e);
    }
  }

  /** The datagram of a response to a caller, or {@link #NO_RESPONSE}. */
  static byte[] encoded(
      Shared shared,
      SimpleRequest message,
      Caller caller,
      RenderedResponse response,
      byte @Nullable [] echo) {
    if (message.suppresses(response.code())) {
      return message.confirmable() ? SimpleRequestCodec.encodeEmptyAck(message) : NO_RESPONSE;
    }
    int messageId =
        message.confirmable() ? 0 : shared.messageIds().getNextMessageId(caller.source());
    return SimpleRequestCodec.encodeResponse(message, response, echo, messageId);
  }

  /**
   * @param changed whether the request was carried out. A refused request is forgotten: its
   *     duplicate is refused again, and refused requests take no memory
   */
  private void send(byte[] response, boolean changed) {
    if (!outcome.compareAndSet(null, response)) {
      return;
    }
    if (!changed) {
      shared.recent().remove(key(), outcome);
    }
    if (response != NO_RESPONSE) {
      shared
          .connector()
          .send(RawData.outbound(response, datagram.getEndpointContext(), null, false));
    }
  }

  /** Californium acknowledges a request whose response is late, and sends a long one in blocks. */
  private void passOn(CompletableFuture<Response> response) {
    if (outcome.compareAndSet(null, PASSED_ON)) {
      californium.receiveData(
          RawData.inbound(
              datagram.getBytes(),
              new PendingResponseContext(datagram.getEndpointContext(), response),
              false,
              datagram.getReceiveNanoTimestamp(),
              datagram.getConnectorAddress()));
    }
  }
}
