package dev.vigil.gateway.northbound;

import dev.vigil.store.Change;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers the feed to one destination, starting at its cursor, until it is stopped. */
final class DeliveryLoop implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(DeliveryLoop.class);

  /** From half a second to a minute. */
  private static final Backoff BACKOFF = new Backoff(500, 60_000);

  private static final long IDLE_MILLIS = 500;
  private static final long SAVE_SECONDS = 2;
  private static final long ENDING_MILLIS = 1000;

  private final Destination destination;
  private final FeedCursor cursor;
  private final Clock clock;
  private final RandomGenerator random;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /** Held during a delivery. */
  private final ReentrantLock working = new ReentrantLock();

  private volatile State state = new State(null, null, null);
  private int failures;

  /**
   * @param error the last error; null after a success
   * @param failedAt time of the last failure
   * @param succeededAt time of the last success
   */
  record State(@Nullable String error, @Nullable Instant failedAt, @Nullable Instant succeededAt) {}

  DeliveryLoop(Destination destination, FeedCursor cursor, Clock clock, RandomGenerator random) {
    this.destination = destination;
    this.cursor = cursor;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      while (!cursor.isClosed()) {
        try {
          step();
        } catch (IOException | RuntimeException e) {
          if (cursor.isOpen()) {
            failed(e);
            cursor.pause(BACKOFF.after(failures, random));
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void step() throws IOException, InterruptedException {
    if (!cursor.awaitOpen(IDLE_MILLIS)) {
      return;
    }
    working.lock();
    try {
      deliver();
    } finally {
      working.unlock();
    }
  }

  private void deliver() throws IOException, InterruptedException {
    if (destination.connect()) {
      succeeded();
    }
    List<Change> changes = cursor.next(IDLE_MILLIS);
    long lost = cursor.unreported();
    if (lost > 0) {
      log.warn("{}: retention removed {} readings before they could be delivered", name(), lost);
      destination.reportLost(lost);
      cursor.reported(lost);
    }
    if (!changes.isEmpty()) {
      destination.deliver(changes, this::delivered);
      succeeded();
    }
  }

  private void delivered(Change change) {
    cursor.delivered(change);
    delivered.incrementAndGet();
  }

  private void succeeded() {
    if (state.error() != null) {
      log.info("{} accepts deliveries again", name());
    }
    failures = 0;
    state = new State(null, state.failedAt(), clock.instant());
  }

  private void failed(Exception e) {
    failures++;
    failed.incrementAndGet();
    String error = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    if (state.error() == null) {
      log.warn("{} does not accept deliveries; they wait in the store: {}", name(), error);
    }
    state = new State(error, clock.instant(), state.succeededAt());
  }

  String name() {
    return destination.name();
  }

  State state() {
    return state;
  }

  /** Number of changes delivered since the start. */
  long delivered() {
    return delivered.get();
  }

  /** Number of failed attempts since the start. */
  long failed() {
    return failed.get();
  }

  /** Number of changes or messages that the receiver refused permanently since the start. */
  long refused() {
    return destination.refused();
  }

  boolean isTestable() {
    return destination.probe().isPresent();
  }

  StoredCursor cursor() {
    return cursor.state();
  }

  /** Age of the oldest undelivered change; 0 when there is none. */
  double lagSeconds() {
    Instant oldest = cursor.oldest();
    return oldest == null
        ? 0
        : Math.max(0, Duration.between(oldest, clock.instant()).toMillis() / 1000.0);
  }

  /**
   * Ends deliveries and stores the cursor. Deliveries continue when the cursor is opened again. A
   * delivery in progress has a second to finish, so that it is not repeated.
   */
  void suspend() {
    cursor.finish();
    try {
      if (working.tryLock(ENDING_MILLIS, TimeUnit.MILLISECONDS)) {
        working.unlock();
      }
      cursor.suspend();
      cursor.save().get(SAVE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      log.warn("{}: its cursor was not stored; some deliveries will be repeated", name());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Makes {@link #run} return soon.
   *
   * @param thread the thread of {@link #run}
   */
  void stop(Thread thread) {
    cursor.close();
    destination.close();
    try {
      thread.join(ENDING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
