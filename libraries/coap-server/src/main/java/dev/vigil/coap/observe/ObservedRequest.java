package dev.vigil.coap.observe;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A request that several clients observe. When its response may have changed, it is answered once
 * for all observers.
 *
 * <p>States, guarded by this object's lock: <em>idle</em> (a change leads to busy), <em>busy</em>
 * (a response is being computed or sent, or the request pauses after a slow response; a change sets
 * {@code changedMeanwhile}, which leads to busy again, else to idle). Every observer is therefore
 * sent one response before the next is computed, and none gets an older response after a newer one.
 */
public final class ObservedRequest implements Runnable {
  /** Notifications that one task sends: a handover to a worker costs more than each of them. */
  private static final int NOTIFICATIONS_PER_TASK = 15;

  /**
   * Sequence numbers follow the clock, one per 4 ms. The numbers of a new observation are thus
   * greater than the client's last one, even after a restart (RFC 7641 section 4.4).
   */
  private static final int MILLIS_PER_NUMBER = 4;

  private static final long SEQUENCE_NUMBERS = 1 << 24;

  /**
   * The pause after a slow response, in multiples of its duration. A stream of changes then takes
   * at most a tenth of a processor for each request, and one notification covers several changes.
   */
  private static final int PAUSE_FACTOR = 9;

  private static final long MAX_PAUSE_MILLIS = 2_000;

  private final Request request;
  private final RequestDispatcher dispatcher;
  private final ScheduledExecutorService pool;
  private final Clock clock;
  private final Consumer<Observation> remover;
  private final Set<Observation> observers = ConcurrentHashMap.newKeySet();

  // Guarded by this object's lock.
  private boolean busy;
  private boolean changedMeanwhile;
  private long sequenceNumber;

  /** Numbers the changes, responses and observations in the order in which they begin. */
  private long position;

  private long lastChange;

  /**
   * @param request answered as if one of the observers had sent it
   * @param remover removes an observer by way of {@link ObservedRequests}, which drops this request
   *     with the last one
   */
  ObservedRequest(
      Request request,
      RequestDispatcher dispatcher,
      ScheduledExecutorService pool,
      Clock clock,
      Consumer<Observation> remover) {
    this.request = request;
    this.dispatcher = dispatcher;
    this.pool = pool;
    this.clock = clock;
    this.remover = remover;
  }

  void add(Observation observer) {
    observers.add(observer);
  }

  void remove(Observation observer) {
    remover.accept(observer);
  }

  /** Removes an observer from the set only. Returns whether it was the last one. */
  boolean removeAndCheckEmpty(Observation observer) {
    observers.remove(observer);
    return observers.isEmpty();
  }

  synchronized long nextPosition() {
    return ++position;
  }

  /**
   * The sequence number of an observer's first response: above the numbers of earlier notifications
   * and below those of later ones. This method does not increase the number, so that ten thousand
   * new observers do not make it run ahead of the clock.
   */
  synchronized int firstSequenceNumber() {
    return (int)
        (Math.max(sequenceNumber + 1, clock.millis() / MILLIS_PER_NUMBER) % SEQUENCE_NUMBERS);
  }

  private synchronized int nextSequenceNumber() {
    sequenceNumber = Math.max(sequenceNumber + 2, clock.millis() / MILLIS_PER_NUMBER + 1);
    return (int) (sequenceNumber % SEQUENCE_NUMBERS);
  }

  /**
   * Records that an observer has its first response. If a change occurred since the computation of
   * that response began, the request is answered again.
   *
   * @param begun the position at which the observation began
   * @return the position from which responses are sent to it; earlier ones may be older than its
   *     first response
   */
  long admit(long begun) {
    boolean missedChange;
    long from;
    synchronized (this) {
      from = ++position;
      missedChange = lastChange > begun;
    }
    if (missedChange) {
      run();
    }
    return from;
  }

  /** The topic has changed; called on the thread that reports the change. */
  @Override
  public void run() {
    synchronized (this) {
      lastChange = ++position;
      if (busy) {
        changedMeanwhile = true;
        return;
      }
      busy = true;
    }
    submit(this::answer);
  }

  private void answer() {
    answer(observers.iterator());
  }

  /**
   * Answers the request for all observers and charges one of them. If that observer has used up its
   * budget, it alone gets 4.29, which ends its observation, and the next one is charged.
   *
   * @param payers the observers that were not charged yet
   */
  private void answer(Iterator<Observation> payers) {
    if (!payers.hasNext()) {
      resume();
      return;
    }
    Observation payer = payers.next();
    long begun = clock.millis();
    long responsePosition = nextPosition();
    int responseNumber = nextSequenceNumber();
    dispatcher
        .answer(request.from(payer.caller()))
        .thenAccept(
            response -> {
              var template = new NotificationTemplate(response, responsePosition, responseNumber);
              if (response.code() == Code.TOO_MANY_REQUESTS) {
                payer.notifyClient(template);
                submit(() -> answer(payers));
                return;
              }
              long duration = clock.millis() - begun;
              sendNotifications(template, Math.clamp(PAUSE_FACTOR * duration, 0, MAX_PAUSE_MILLIS));
            });
  }

  /**
   * @param pauseMillis pause between the last notification and the next response
   */
  private void sendNotifications(NotificationTemplate template, long pauseMillis) {
    AtomicInteger unfinishedTasks = new AtomicInteger(1);
    Runnable finished =
        () -> {
          if (unfinishedTasks.decrementAndGet() == 0) {
            pause(pauseMillis);
          }
        };
    List<Observation> batch = new ArrayList<>(NOTIFICATIONS_PER_TASK);
    for (Observation observer : observers) {
      batch.add(observer);
      if (batch.size() == NOTIFICATIONS_PER_TASK) {
        List<Observation> full = batch;
        unfinishedTasks.incrementAndGet();
        submit(() -> notifyBatch(template, full, finished));
        batch = new ArrayList<>(NOTIFICATIONS_PER_TASK);
      }
    }
    notifyBatch(template, batch, finished);
  }

  private static void notifyBatch(
      NotificationTemplate template, List<Observation> batch, Runnable finished) {
    batch.forEach(observer -> observer.notifyClient(template));
    finished.run();
  }

  private void pause(long millis) {
    if (millis == 0) {
      resume();
      return;
    }
    try {
      pool.schedule(this::resume, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      endAll();
    }
  }

  private void resume() {
    synchronized (this) {
      if (!changedMeanwhile) {
        busy = false;
        return;
      }
      changedMeanwhile = false;
    }
    // Not called directly, because a stream of changes would let this thread's stack grow.
    submit(this::answer);
  }

  private void submit(Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      endAll();
    }
  }

  /** The server has closed. */
  private void endAll() {
    observers.forEach(Observation::end);
  }
}
