package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import java.time.Clock;
import java.util.List;
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

  /** An answer to an unverified source may be this many times its request (RFC 9175 sec. 2.6). */
  private static final int AMPLIFICATION = 3;

  private static final int BUSY_SECONDS = 5;

  private final Site site;
  private final Questions questions;
  private final Callers callers;
  private final Bases bases;
  private final Echo echo;
  private final Lanes lanes;
  private final LateAnswers lateAnswers;
  private final ObserveManager observers;
  private final GroupRequests groupRequests;

  /** Observations that those may hold who have not shown that their address is their own. */
  private final int strangersShare;

  private final AtomicInteger strangers = new AtomicInteger();

  Deliverer(
      Site site,
      Topics topics,
      Callers callers,
      Bases bases,
      Echo echo,
      Lanes lanes,
      ScheduledExecutorService pool,
      LateAnswers lateAnswers,
      ObserveManager observers,
      int maxObservers,
      Clock clock) {
    this.site = site;
    this.questions = new Questions(site, topics, pool, clock);
    this.callers = callers;
    this.bases = bases;
    this.echo = echo;
    this.lanes = lanes;
    this.lateAnswers = lateAnswers;
    this.observers = observers;
    this.strangersShare = maxObservers / 2;
    this.groupRequests = new GroupRequests(site, callers, bases, clock);
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
      request = Messages.request(message, caller, bases.of(exchange));
    } catch (ExchangeException e) {
      send(exchange, caller, e.response());
      return;
    }
    List<String> path = request.path();
    // A reader finds one state or the next; only what changes an endpoint waits for its turn.
    if (request.method() == Method.GET || path.size() < 2 || !path.getFirst().equals("ms")) {
      answer(exchange, request);
    } else if (!lanes.offer(path.get(1), () -> answer(exchange, request))) {
      send(
          exchange,
          caller,
          Response.diagnostic(Code.SERVICE_UNAVAILABLE, "too many requests wait")
              .withMaxAge(BUSY_SECONDS));
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
    return callers.of(
        context,
        CoAP.isSecureScheme(message.getScheme()),
        echoed != null && echo.answers(echoed.getValue(), context.getPeerAddress()));
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
    CompletableFuture<Response> answer = site.answer(request);
    CompletableFuture<?> sent =
        message.isObserve() && request.method() == Method.GET
            ? answer
                .thenCompose(first -> observe(exchange, request, first))
                .whenComplete((done, thrown) -> tellOf(request, thrown))
            : answer.thenAccept(response -> finish(exchange, request, response));
    if (!sent.isDone()) {
      lateAnswers.expect(exchange, sent);
    }
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
    return site.answer(request)
        .thenAccept(
            answer ->
                exchange.execute(
                    () -> {
                      boolean tooLarge = !request.caller().verified() && isLarge(exchange, answer);
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
    boolean challenged =
        !caller.verified() && (answer.code() == Code.UNAUTHORIZED || isLarge(exchange, answer));
    Response told =
        challenged && answer.code() != Code.UNAUTHORIZED
            ? Response.diagnostic(Code.UNAUTHORIZED, "repeat with Echo")
            : answer;
    var response = Messages.response(told, options.getETags());
    if (challenged) {
      response
          .getOptions()
          .addOtherOption(new Option(StandardOptionRegistry.ECHO, echo.challenge(caller.source())));
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

  /** Whether a sender must show that its address is its own before it is told so much. */
  static boolean isLarge(Exchange exchange, Response answer) {
    return answer.payload().length > AMPLIFICATION * exchange.getRequest().getMessageSize();
  }
}
