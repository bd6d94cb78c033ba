package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Site;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A request that clients observe: asked again when its answer may have changed, once for all of
 * them.
 *
 * <p>States, guarded by this object's lock: <em>idle</em> (a change starts the request again),
 * <em>busy</em> (an answer is being made or told, or the question rests after one that took long; a
 * change only leaves a mark). So one answer is told to all before the next is made, and none older
 * follows a newer.
 */
final class Question implements Runnable {
  /** Told one after the other by one thread of the pool, without another handover. */
  private static final int TOLD_AT_ONCE = 15;

  /**
   * Sequence numbers advance with the clock, 4 ms a step, so that those of a renewed observation,
   * or of one after a restart, follow the old ones (RFC 7641 section 4.4).
   */
  private static final int MILLIS_A_NUMBER = 4;

  private static final long NUMBERS = 1 << 24;

  /**
   * After an answer that took long to make, the question rests this many times as long: a stream of
   * changes then costs a tenth of a processor for each such question, and is told as one.
   */
  private static final int REST = 9;

  private static final long LONGEST_REST_MILLIS = 2_000;

  private final Request request;
  private final Site site;
  private final ScheduledExecutorService pool;
  private final Clock clock;
  private final Consumer<Observation> leave;
  private final Set<Observation> observers = ConcurrentHashMap.newKeySet();

  private boolean busy;
  private boolean marked;
  private long number;

  /** Counts changes and answers in the order in which they came and were begun. */
  private long place;

  private long lastChange;

  /**
   * @param leave takes an observer away; by {@link Questions}, which knows when the last one goes
   */
  Question(
      Request request,
      Site site,
      ScheduledExecutorService pool,
      Clock clock,
      Consumer<Observation> leave) {
    this.request = request;
    this.site = site;
    this.pool = pool;
    this.clock = clock;
    this.leave = leave;
  }

  void join(Observation observer) {
    observers.add(observer);
  }

  void leave(Observation observer) {
    leave.accept(observer);
  }

  /** Takes an observer away; whether it was the last one. */
  boolean isLeftBy(Observation observer) {
    observers.remove(observer);
    return observers.isEmpty();
  }

  /** A place in the order, behind all that was so far. */
  synchronized long nextPlace() {
    return ++place;
  }

  /**
   * The sequence number of an observer's first answer: above those of all notices so far and below
   * those to come. Ten thousand that join together do not make it run ahead of the clock.
   */
  synchronized int firstNumber() {
    return (int) (Math.max(number + 1, clock.millis() / MILLIS_A_NUMBER) % NUMBERS);
  }

  private synchronized int nextNumber() {
    number = Math.max(number + 2, clock.millis() / MILLIS_A_NUMBER + 1);
    return (int) (number % NUMBERS);
  }

  /**
   * An observer has had an answer of its own; from now on it is told.
   *
   * @param begun the place at which that answer was begun
   * @return the place from which on it is told: what was begun before it had its answer may be
   *     older
   */
  long admit(long begun) {
    boolean missed;
    long from;
    synchronized (this) {
      from = ++place;
      missed = lastChange > begun;
    }
    if (missed) {
      run();
    }
    return from;
  }

  /** Something changed; called on the thread that reports it. */
  @Override
  public void run() {
    synchronized (this) {
      lastChange = ++place;
      if (busy) {
        marked = true;
        return;
      }
      busy = true;
    }
    onPool(this::ask);
  }

  private void ask() {
    long begun = clock.millis();
    long at = nextPlace();
    int with = nextNumber();
    site.answer(request)
        .whenComplete(
            (answer, never) -> {
              long took = clock.millis() - begun;
              tell(new Notice(answer, at, with), Math.clamp(REST * took, 0, LONGEST_REST_MILLIS));
            });
  }

  private void tell(Notice notice, long rest) {
    AtomicInteger untold = new AtomicInteger(1);
    Runnable told =
        () -> {
          if (untold.decrementAndGet() == 0) {
            rest(rest);
          }
        };
    List<Observation> some = new ArrayList<>(TOLD_AT_ONCE);
    for (Observation observer : observers) {
      some.add(observer);
      if (some.size() == TOLD_AT_ONCE) {
        List<Observation> full = some;
        untold.incrementAndGet();
        onPool(() -> tell(notice, full, told));
        some = new ArrayList<>(TOLD_AT_ONCE);
      }
    }
    tell(notice, some, told);
  }

  private static void tell(Notice notice, List<Observation> some, Runnable told) {
    some.forEach(observer -> observer.tell(notice));
    told.run();
  }

  private void rest(long millis) {
    if (millis == 0) {
      becomeIdle();
      return;
    }
    try {
      pool.schedule(this::becomeIdle, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      observers.forEach(Observation::end);
    }
  }

  private void becomeIdle() {
    synchronized (this) {
      if (!marked) {
        busy = false;
        return;
      }
      marked = false;
    }
    // By way of the pool, else a stream of changes would grow this thread's stack.
    onPool(this::ask);
  }

  private void onPool(Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      // The front has closed; whoever reported the change need not know.
      observers.forEach(Observation::end);
    }
  }
}
