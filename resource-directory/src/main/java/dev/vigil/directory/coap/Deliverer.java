package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Topics;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.observe.ObserveManager;
import org.eclipse.californium.core.server.MessageDeliverer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request that Californium has put together to the site, and the answer back. */
final class Deliverer implements MessageDeliverer {
  private static final Logger log = LoggerFactory.getLogger(Deliverer.class);

  private final Desk desk;
  private final Questions questions;
  private final ObserveManager observers;
  private final GroupRequests groupRequests;

  /** Observations that those may hold who have not shown that their address is their own. */
  private final int strangersShare;

  private final AtomicInteger strangers = new AtomicInteger();

  /**
   * @param maxObservers observations at a time, at one endpoint
   */
  Deliverer(
      Desk desk,
      Topics topics,
      ScheduledExecutorService pool,
      ObserveManager observers,
      int maxObservers,
      Clock clock) {
    this.desk = desk;
    this.questions = new Questions(desk.site(), topics, pool, clock);
    this.observers = observers;
    this.strangersShare = maxObservers / 2;
    this.groupRequests = new GroupRequests(desk.site(), desk.callers(), desk.bases(), clock);
  }

  @Override
  public void deliverRequest(Exchange exchange) {
    var message = exchange.getRequest();
    if (message.isMulticast()) {
      groupRequests.deliver(exchange);
      return;
    }
    Caller caller = caller(exchange);
    Request request;
    try {
      request = Messages.request(message, caller, desk.bases().of(exchange));
    } catch (ExchangeException e) {
      send(exchange, caller, e.response());
      return;
    }
    if (message.getSourceContext() instanceof Handed handed) {
      finish(exchange, request, handed.answer());
    } else if (!desk.inTurn(request, Runnable::run, () -> answer(exchange, request))) {
      send(exchange, caller, Desk.BUSY);
    }
  }

  @Override
  public void deliverResponse(
      Exchange exchange, org.eclipse.californium.core.coap.Response response) {
    exchange.getRequest().setResponse(response);
  }

  private Caller caller(Exchange exchange) {
    var message = exchange.getRequest();
    var context = message.getSourceContext();
    Option echoed = message.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
    return desk.caller(
        exchange.getEndpoint().getAddress(),
        context,
        CoAP.isSecureScheme(message.getScheme()),
        echoed == null ? new byte[0] : echoed.getValue());
  }

  boolean isVerified(Exchange exchange) {
    return caller(exchange).verified();
  }

  /** Asks a sender for an Echo. */
  void challenge(Exchange exchange) {
    send(exchange, caller(exchange), Response.diagnostic(Code.UNAUTHORIZED, "repeat with Echo"));
  }

  private void answer(Exchange exchange, Request request) {
    var message = exchange.getRequest();
    if (message.isObserveCancel()) {
      observers.cancelObserveRelation(exchange);
    }
    CompletableFuture<Response> answer = desk.site().answer(request);
    CompletableFuture<?> sent =
        message.isObserve() && request.method() == Method.GET
            ? answer
                .thenCompose(first -> observe(exchange, request, first))
                .whenComplete((done, thrown) -> tellOf(request, thrown))
            : answer.thenAccept(response -> finish(exchange, request, response));
    if (!sent.isDone()) {
      desk.lateAnswers().expect(sent, () -> exchange.execute(exchange::sendAccept));
    }
  }

  /** An answer that was waited for already. */
  private void finish(Exchange exchange, Request request, CompletableFuture<Response> answer) {
    if (!answer.isDone()) {
      exchange.sendAccept();
    }
    answer.thenAccept(response -> finish(exchange, request, response));
  }

  /** The site never fails, but what it answered may be more than can be sent. */
  private void finish(Exchange exchange, Request request, Response answer) {
    try {
      send(exchange, request.caller(), answer);
    } catch (RuntimeException e) {
      tellOf(request, e);
    }
  }

  private static void tellOf(Request request, @Nullable Throwable thrown) {
    if (thrown != null) {
      log.error("could not answer {} {}", request.method(), request.pathAsText(), thrown);
    }
  }

  /**
   * The first answer tells what to watch; the one that is sent is made after the watch began, so
   * that no change falls between them.
   */
  private CompletableFuture<?> observe(Exchange exchange, Request request, Response first) {
    if (first.topic() == null || !first.code().isSuccess()) {
      send(exchange, request.caller(), first);
      return CompletableFuture.completedFuture(null);
    }
    boolean stranger = !request.caller().verified();
    if (stranger && strangers.get() >= strangersShare) {
      // Each holds its place for as long as nothing changes: inventing addresses must not take all.
      challenge(exchange);
      return CompletableFuture.completedFuture(null);
    }
    Observation observation =
        questions.join(
            first.topic(), request, question -> new Observation(exchange, !stranger, question));
    if (stranger) {
      strangers.incrementAndGet();
      observation.whenEnded(strangers::decrementAndGet);
    }
    return desk.site()
        .answer(request)
        .thenAccept(
            answer ->
                exchange.execute(
                    () -> {
                      boolean tooLarge =
                          !request.caller().verified()
                              && Echo.isLarge(exchange.getRequest().getMessageSize(), answer);
                      if (answer.code().isSuccess() && !tooLarge) {
                        exchange.getRequest().setProtectFromOffload();
                        observers.addObserveRelation(exchange, observation);
                      }
                      // Null when it was not added, there being too many.
                      if (exchange.getRelation() == null) {
                        observation.end();
                      }
                      send(exchange, request.caller(), answer);
                      observation.answered(answer);
                    }));
  }

  private void send(Exchange exchange, Caller caller, Response answer) {
    var message = exchange.getRequest();
    var options = message.getOptions();
    Echo.Told told = desk.echo().told(caller, message.getMessageSize(), answer);
    var response = Messages.response(told.answer(), options.getETags());
    byte[] challenge = told.challenge();
    if (challenge != null) {
      response.getOptions().addOtherOption(new Option(StandardOptionRegistry.ECHO, challenge));
    }
    if (options.hasNoResponse() && options.getNoResponse().suppress(response.getCode())) {
      // Californium would send a separate response to a confirmable request here; RFC 7967
      // section 2.1 wants an empty acknowledgement.
      exchange.execute(
          () -> {
            exchange.sendAccept();
            if (!exchange.isComplete()) {
              exchange.setComplete();
            }
          });
      return;
    }
    exchange.sendResponse(response);
  }
}
