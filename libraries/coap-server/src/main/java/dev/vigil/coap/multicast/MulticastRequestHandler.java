package dev.vigil.coap.multicast;

import dev.vigil.coap.dispatch.RequestContext;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.message.CaliforniumMessages;
import dev.vigil.coap.message.EchoVerifier;
import java.time.Clock;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.network.Exchange;

/**
 * Answers requests to a multicast group (RFC 7252 section 8), on routes that allow it. It ignores
 * all other requests, and responses that are errors or empty (RFC 6690 section 4.1), since every
 * member of the group receives the request.
 *
 * <p>A sender cannot prove its address to a group, because an Echo challenge would be an error
 * response. The response is therefore one small message of at most three times the octets of the
 * request, as for any unverified source. It carries the first block of a longer body. The client
 * gets the other blocks by unicast (RFC 7959 section 2.8).
 */
public final class MulticastRequestHandler {
  /** Blocks of at most 256 octets, which hold about three links. */
  private static final int MAX_SZX = 4;

  /**
   * A limit for all senders together; few members of a network discover servers at the same time.
   */
  private static final int MAX_RESPONSES_PER_SECOND = 50;

  private final RequestContext context;
  private final Clock clock;

  // Guarded by this object's lock.
  private long second;
  private int responsesInSecond;

  public MulticastRequestHandler(RequestContext context, Clock clock) {
    this.context = context;
    this.clock = clock;
  }

  public void handle(Exchange exchange) {
    var message = exchange.getRequest();
    Route route = context.dispatcher().route(message.getOptions().getUriPath());
    Optional<Request> request =
        route.multicast() && message.getType() == Type.NON && isFirstBlock(message)
            ? readGet(exchange)
            : Optional.empty();
    if (request.isEmpty() || !isWithinRate()) {
      ignore(exchange);
      return;
    }
    context
        .dispatcher()
        .answer(route, request.get())
        .thenAccept(
            response -> {
              if (response.code() == Code.CONTENT && response.payload().length > 0) {
                exchange.execute(() -> exchange.sendResponse(shortened(message, response)));
              } else {
                ignore(exchange);
              }
            });
  }

  private static boolean isFirstBlock(org.eclipse.californium.core.coap.Request message) {
    BlockOption block = message.getOptions().getBlock2();
    return block == null || block.getNum() == 0;
  }

  /** The request, if it is a GET and well-formed. */
  private Optional<Request> readGet(Exchange exchange) {
    var message = exchange.getRequest();
    // A Uri-Host option would name the group, but the base URI has to name this server alone.
    String base = context.baseUris().ofSocket(exchange);
    Caller caller =
        context
            .callers()
            .of(exchange.getEndpoint().getAddress(), message.getSourceContext(), false, false);
    try {
      Request request = CaliforniumMessages.request(message, caller, base);
      return request.method() == Method.GET ? Optional.of(request) : Optional.empty();
    } catch (ErrorResponseException e) {
      return Optional.empty();
    }
  }

  private synchronized boolean isWithinRate() {
    long now = clock.instant().getEpochSecond();
    if (now != second) {
      second = now;
      responsesInSecond = 0;
    }
    return ++responsesInSecond <= MAX_RESPONSES_PER_SECOND;
  }

  private static org.eclipse.californium.core.coap.Response shortened(
      org.eclipse.californium.core.coap.Request request, Response response) {
    var message =
        CaliforniumMessages.response(
            response, request.getOptions().getETags(), BlockOption.szx2Size(sizeExponent(request)));
    // Californium delays it by a random part of the leisure (RFC 7252 section 8.2).
    message.setType(Type.NON);
    int szx = sizeExponent(request);
    byte[] payload = message.getPayload();
    if (payload.length > BlockOption.szx2Size(szx)) {
      message.getOptions().setBlock2(szx, true, 0);
      message.getOptions().setSize2(payload.length);
      message.setPayload(Arrays.copyOf(payload, BlockOption.szx2Size(szx)));
    }
    return message;
  }

  /**
   * The size exponent of the largest block that may be sent to the sender, whose address may be
   * forged.
   */
  private static int sizeExponent(org.eclipse.californium.core.coap.Request request) {
    BlockOption block = request.getOptions().getBlock2();
    int szx = block == null ? MAX_SZX : Math.min(MAX_SZX, block.getSzx());
    return EchoVerifier.largestBlock(request.getMessageSize(), szx);
  }

  private static void ignore(Exchange exchange) {
    exchange.execute(
        () -> {
          if (!exchange.isComplete()) {
            exchange.setComplete();
          }
        });
  }
}
