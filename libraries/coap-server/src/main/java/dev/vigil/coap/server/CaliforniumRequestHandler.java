package dev.vigil.coap.server;

import dev.vigil.coap.dispatch.FairSerialExecutor;
import dev.vigil.coap.dispatch.PendingResponseContext;
import dev.vigil.coap.dispatch.RequestContext;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.log.RateLimitedLog;
import dev.vigil.coap.message.CaliforniumMessages;
import dev.vigil.coap.message.EchoVerifier;
import dev.vigil.coap.message.RenderedResponse;
import dev.vigil.coap.multicast.MulticastRequestHandler;
import dev.vigil.coap.observe.Observation;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.NoResponseOption;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.observe.ObserveManager;
import org.eclipse.californium.core.observe.ObserveRelation;
import org.eclipse.californium.core.server.MessageDeliverer;
import org.jspecify.annotations.Nullable;

/**
 * Passes every request that Californium has assembled to the dispatcher, and sends the responses.
 */
final class CaliforniumRequestHandler implements MessageDeliverer {
  private static final RateLimitedLog log = RateLimitedLog.of(CaliforniumRequestHandler.class);
  private static final byte[] NO_ECHO = {};
  static final Response SHORT_OF_MEMORY =
      Response.diagnostic(Code.SERVICE_UNAVAILABLE, "the server is short of memory").withMaxAge(60);

  private final RequestContext context;
  private final ObserverPlaces places;
  private final ObserveManager observations;
  private final MulticastRequestHandler multicast;
  private final BooleanSupplier memoryIsScarce;
  private final FairSerialExecutor costly;

  CaliforniumRequestHandler(
      RequestContext context,
      ObserverPlaces places,
      ObserveManager observations,
      BooleanSupplier memoryIsScarce,
      FairSerialExecutor costly,
      Clock clock) {
    this.costly = costly;
    this.context = context;
    this.places = places;
    this.observations = observations;
    this.memoryIsScarce = memoryIsScarce;
    this.multicast = new MulticastRequestHandler(context, clock);
  }

  @Override
  public void deliverRequest(Exchange exchange) {
    var message = exchange.getRequest();
    if (message.isMulticast()) {
      multicast.handle(exchange);
      return;
    }
    Caller caller = caller(exchange);
    Request request;
    try {
      request = CaliforniumMessages.request(message, caller, context.baseUris().of(exchange));
    } catch (ErrorResponseException e) {
      send(exchange, caller, e.response());
      return;
    }
    if (message.getSourceContext() instanceof PendingResponseContext pending) {
      respond(exchange, request, pending.response());
      return;
    }
    Route route = context.dispatcher().route(request.path());
    if (isTooCostlyNow(route, request)) {
      send(exchange, caller, SHORT_OF_MEMORY);
      return;
    }
    Runnable answer = () -> answer(exchange, route, request);
    if (isCostly(route, request)) {
      costly.offer(
          Source.ofTurns(caller),
          new FairSerialExecutor.Task(
              answer, () -> send(exchange, caller, RequestContext.OVERLOADED)));
    } else if (!context.execute(route, request, Runnable::run, answer)) {
      send(exchange, caller, RequestContext.OVERLOADED);
    }
  }

  /**
   * While memory is scarce, refuses routes without the fast path, because their answers are large;
   * authenticated clients are still served.
   */
  private boolean isTooCostlyNow(Route route, Request request) {
    return request.method() == Method.GET
        && !route.fastPath()
        && memoryIsScarce.getAsBoolean()
        && !isAuthenticated(request.caller());
  }

  /** Whether a stranger sends a request that may take long: a lookup or a history. */
  private static boolean isCostly(Route route, Request request) {
    return request.method() == Method.GET
        && !route.allowsFastPath(Method.GET, request.query())
        && !request.caller().trusted()
        && !isAuthenticated(request.caller());
  }

  private static boolean isAuthenticated(Caller caller) {
    return Source.of(caller).standing() == Source.Standing.AUTHENTICATED;
  }

  @Override
  public void deliverResponse(
      Exchange exchange, org.eclipse.californium.core.coap.Response response) {
    exchange.getRequest().setResponse(response);
  }

  Caller caller(Exchange exchange) {
    var message = exchange.getRequest();
    Option echo = message.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
    return context.caller(
        exchange.getEndpoint().getAddress(),
        message.getSourceContext(),
        CoAP.isSecureScheme(message.getScheme()),
        echo == null ? NO_ECHO : echo.getValue());
  }

  private void answer(Exchange exchange, Route route, Request request) {
    var message = exchange.getRequest();
    if (message.isObserveCancel()) {
      observations.cancelObserveRelation(exchange);
    }
    CompletableFuture<Response> response =
        context.dispatcher().answer(route, request, message.getNanoTimestamp());
    CompletableFuture<?> sent =
        asksToObserve(message) && request.method() == Method.GET
            ? response
                .thenCompose(first -> observe(exchange, request, first))
                .whenComplete((done, thrown) -> logFailure(request, thrown))
            : response.thenAccept(completed -> respond(exchange, request, completed));
    if (!sent.isDone()) {
      context.separateResponses().watch(sent, () -> exchange.execute(exchange::sendAccept));
    }
  }

  /**
   * Whether a client asks for an observation. Without a first response a client would not know that
   * it observes, and without an error response it would not know the end (RFC 7967).
   */
  private static boolean asksToObserve(org.eclipse.californium.core.coap.Request message) {
    NoResponseOption noResponse = message.getOptions().getNoResponse();
    return message.isObserve()
        && (noResponse == null || (noResponse.getMask() & NoResponseOption.SUPPRESS_ALL) == 0);
  }

  /** Sends a late or long response that the fast path has passed on. */
  private void respond(Exchange exchange, Request request, CompletableFuture<Response> response) {
    if (!response.isDone()) {
      exchange.sendAccept();
    }
    response.thenAccept(completed -> respond(exchange, request, completed));
  }

  private void respond(Exchange exchange, Request request, Response response) {
    try {
      send(exchange, request.caller(), response);
    } catch (RuntimeException e) {
      logFailure(request, e);
    }
  }

  private static void logFailure(Request request, @Nullable Throwable thrown) {
    if (thrown != null) {
      log.error(
          "cannot send the response to {} {}", request.method(), request.pathAsText(), thrown);
    }
  }

  /**
   * Begins an observation. The given response only names the topic. The response that is sent is
   * computed after the topic is watched, so that no change is missed in between.
   */
  private CompletableFuture<?> observe(Exchange exchange, Request request, Response response) {
    if (response.topic() == null || !response.code().isSuccess()) {
      send(exchange, request.caller(), response);
      return CompletableFuture.completedFuture(null);
    }
    if (!request.caller().verified()) {
      // A notification may be larger than the request, and confirmable notifications are repeated.
      send(exchange, request.caller(), EchoVerifier.CHALLENGE);
      return CompletableFuture.completedFuture(null);
    }
    if (!places.isOpenTo(request.caller())) {
      send(exchange, request.caller(), SHORT_OF_MEMORY);
      return CompletableFuture.completedFuture(null);
    }
    Observation observation =
        places.begin(response.topic(), response.bySource(), request, exchange);
    return context
        .dispatcher()
        .answer(request)
        .thenAccept(
            first ->
                exchange.execute(() -> sendFirstResponse(exchange, request, observation, first)));
  }

  private void sendFirstResponse(
      Exchange exchange, Request request, Observation observation, Response first) {
    if (first.code().isSuccess() && !observation.isEnded()) {
      exchange.getRequest().setProtectFromOffload();
      observations.addObserveRelation(exchange, observation);
    }
    try {
      send(exchange, request.caller(), first);
    } finally {
      ObserveRelation relation = exchange.getRelation();
      // Null if the observation was not added, or if Californium has too many.
      if (relation == null || !relation.isEstablished()) {
        observation.end();
      }
    }
    observation.firstResponseSent(first);
  }

  void send(Exchange exchange, Caller caller, Response response) {
    var message = exchange.getRequest();
    var options = message.getOptions();
    int payload = BlockwiseDownloadLayer.payloadAtMost(message, caller, response);
    EchoVerifier.LimitedResponse limited =
        context.echo().limit(caller, message.getMessageSize(), response, payload);
    var answer =
        CaliforniumMessages.response(
            limited.response(),
            options.getETags(),
            Math.min(payload, RenderedResponse.MAX_PAYLOAD));
    byte[] echo = limited.echo();
    if (echo != null) {
      answer.getOptions().addOtherOption(new Option(StandardOptionRegistry.ECHO, echo));
    }
    if (!caller.verified() && exchange.getCurrentRequest().isAcknowledged()) {
      // A separate confirmable response would be repeated towards an address that may be forged.
      answer.setType(CoAP.Type.NON);
    }
    if (options.hasNoResponse() && options.getNoResponse().suppress(answer.getCode())) {
      // Californium would send a separate response to a confirmable request here; RFC 7967 section
      // 2.1 requires an empty acknowledgement.
      exchange.execute(
          () -> {
            exchange.sendAccept();
            if (!exchange.isComplete()) {
              exchange.setComplete();
            }
          });
      return;
    }
    exchange.sendResponse(answer);
  }
}
