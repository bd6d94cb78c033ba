package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.observe.ObserveRelation;
import org.eclipse.californium.core.server.resources.ObservableResource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's interest in one request's answer (RFC 7641).
 *
 * <p>States, guarded by this object's lock: <em>busy</em> (an answer is being made or handed to its
 * exchange, or the observation rests after one that took long; a change only leaves a mark),
 * <em>idle</em> (a change starts the request again), <em>ended</em> (by the client, a reset, an
 * unanswered confirmable, an error answer, or the front's end; nothing leads out). It begins busy,
 * so that the first answer is sent before any notification, and answers are made one after the
 * other, so that none older follows a newer. Californium tracks acknowledgements and resets, and
 * holds back all but the newest notification while a confirmable one is under way.
 */
final class Observation implements ObservableResource, Runnable {
  private static final Logger log = LoggerFactory.getLogger(Observation.class);
  private static final int CONFIRMABLE_EVERY = 10;
  private static final byte[] NOTHING = {};

  /**
   * Sequence numbers advance with the clock, 8 ms a step, so that those of a renewed observation,
   * or of one after a restart, follow the old ones (RFC 7641 section 4.4).
   */
  private static final int MILLIS_A_NUMBER = 8;

  private static final long NUMBERS = 1 << 24;

  /**
   * After an answer that took long to make, the observation rests this many times as long: a stream
   * of changes then costs a tenth of a processor for each such observer, and is told as one.
   */
  private static final int REST = 9;

  private static final long LONGEST_REST_MILLIS = 2_000;

  private final Exchange exchange;
  private final Request request;
  private final Site site;
  private final ScheduledExecutorService pool;
  private final Clock clock;
  private final List<byte[]> knownTags;

  private boolean busy = true;
  private boolean marked;
  private boolean ended;
  private Topics.@Nullable Watch watch;
  private long number;
  private int notifications;
  private @Nullable Response last;
  private @Nullable Runnable ending;

  Observation(
      Exchange exchange,
      Request request,
      Site site,
      ScheduledExecutorService pool,
      Clock clock,
      List<byte[]> knownTags) {
    this.exchange = exchange;
    this.request = request;
    this.site = site;
    this.pool = pool;
    this.clock = clock;
    this.knownTags = knownTags;
  }

  /** Before anybody else knows of it. */
  void whenEnded(Runnable run) {
    ending = run;
  }

  synchronized void watching(Topics.Watch newWatch) {
    if (ended) {
      newWatch.close();
    } else {
      watch = newWatch;
    }
  }

  /** The first answer is on its way: from here on changes are told. */
  void answered(Response first) {
    synchronized (this) {
      last = remembered(first);
    }
    becomeIdle();
  }

  /** Something changed; called on the thread that reports it. */
  @Override
  public void run() {
    synchronized (this) {
      if (busy || ended) {
        marked = true;
        return;
      }
      busy = true;
    }
    // One hop from the reporting thread: the answer is made where it is sent from.
    exchange.execute(this::askAgain);
  }

  private void askAgain() {
    long began = clock.millis();
    site.answer(request).whenComplete((answer, never) -> notify(answer, clock.millis() - began));
  }

  private void notify(Response made, long tookMillis) {
    Response answer =
        Deliverer.isTooLarge(exchange, request, made)
            ? Response.diagnostic(Code.UNAUTHORIZED, "observe again with Echo")
            : made;
    exchange.execute(
        () -> {
          try {
            send(answer);
          } catch (RuntimeException e) {
            log.warn("could not notify {}", request.caller().source(), e);
            end();
          }
          rest(Math.clamp(REST * tookMillis, 0, LONGEST_REST_MILLIS));
        });
  }

  private void rest(long millis) {
    if (millis == 0) {
      becomeIdle();
      return;
    }
    try {
      pool.schedule(this::becomeIdle, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      end();
    }
  }

  private void send(Response answer) {
    int count;
    synchronized (this) {
      if (ended || saysTheSame(last, answer)) {
        return;
      }
      last = remembered(answer);
      count = ++notifications;
    }
    var message = Messages.response(answer, knownTags);
    boolean confirmable =
        count == 1 || count % CONFIRMABLE_EVERY == 0 || !answer.code().isSuccess();
    message.setType(confirmable ? Type.CON : Type.NON);
    exchange.sendResponse(message);
  }

  private void becomeIdle() {
    synchronized (this) {
      if (!marked || ended) {
        busy = false;
        return;
      }
      marked = false;
    }
    try {
      // By way of the pool, else a stream of changes would grow this thread's stack.
      pool.execute(() -> exchange.execute(this::askAgain));
    } catch (RejectedExecutionException e) {
      // The front has closed; whoever reported the change need not know.
      end();
    }
  }

  /** A tag stands for the payload, which ten thousand observers need not keep. */
  private static Response remembered(Response answer) {
    return answer.tag() == null
        ? answer
        : new Response(
            answer.code(),
            answer.format(),
            NOTHING,
            answer.tag(),
            Response.NO_MAX_AGE,
            List.of(),
            null);
  }

  private static boolean saysTheSame(@Nullable Response last, Response answer) {
    return last != null
        && last.code() == answer.code()
        && last.format() == answer.format()
        && Objects.equals(last.tag(), answer.tag())
        && (answer.tag() != null || Arrays.equals(last.payload(), answer.payload()));
  }

  synchronized void end() {
    if (!ended && ending != null) {
      ending.run();
    }
    ended = true;
    last = null;
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  @Override
  public String getURI() {
    return request.pathAsText();
  }

  @Override
  public Type getObserveType() {
    return Type.CON;
  }

  @Override
  public synchronized int getNotificationSequenceNumber() {
    number = Math.max(number + 1, clock.millis() / MILLIS_A_NUMBER);
    return (int) (number % NUMBERS);
  }

  @Override
  public boolean isObservable() {
    return true;
  }

  @Override
  public void addObserveRelation(ObserveRelation relation) {
    // The watch began before the first answer was made.
  }

  @Override
  public void removeObserveRelation(ObserveRelation relation) {
    end();
  }

  @Override
  public synchronized int getObserverCount() {
    return ended ? 0 : 1;
  }
}
