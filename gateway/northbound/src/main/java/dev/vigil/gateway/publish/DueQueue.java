package dev.vigil.gateway.publish;

import dev.vigil.store.EndpointName;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Endpoints by the time at which they are due. Each is queued once, at its earliest time. */
final class DueQueue {
  /** The maximum wait; short because the clock may be set meanwhile. */
  private static final long MAX_WAIT_MILLIS = 1000;

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock, like the following fields. */
  private final Map<EndpointName, Long> times = new HashMap<>();

  private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::at));
  private long pausedUntil;
  private boolean closed;

  private record Due(EndpointName name, long at) {}

  DueQueue(Clock clock) {
    this.clock = clock;
  }

  void now(EndpointName name) {
    at(name, 0);
  }

  /**
   * @param millis Unix time; an earlier queued time stays
   */
  void at(EndpointName name, long millis) {
    lock.lock();
    try {
      Long queued = times.get(name);
      if (queued == null || queued > millis) {
        times.put(name, millis);
        queue.add(new Due(name, millis));
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes {@link #take} wait at least until that time. */
  void pause(long untilMillis) {
    lock.lock();
    try {
      pausedUntil = untilMillis;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next due endpoint; null after the queue was closed. */
  @Nullable EndpointName take() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        Due first = queue.peek();
        if (first != null && !Long.valueOf(first.at()).equals(times.get(first.name()))) {
          // An entry with an earlier time has replaced this one.
          queue.remove();
          continue;
        }
        long now = clock.millis();
        long from = first == null ? Long.MAX_VALUE : Math.max(first.at(), pausedUntil);
        if (first != null && from <= now) {
          queue.remove();
          times.remove(first.name());
          return first.name();
        }
        changed.await(Math.min(MAX_WAIT_MILLIS, from - now), TimeUnit.MILLISECONDS);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
