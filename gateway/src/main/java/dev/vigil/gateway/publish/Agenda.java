package dev.vigil.gateway.publish;

import dev.vigil.directory.state.EndpointName;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Which endpoints are to be looked at, and when: each stands in it once, at its earliest time. */
final class Agenda {
  /** The clock may be set; so it is asked again before long. */
  private static final long LONGEST_WAIT = 1000;

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock, as is the rest. */
  private final Map<EndpointName, Long> times = new HashMap<>();

  private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::at));
  private long pausedUntil;
  private boolean closed;

  private record Due(EndpointName name, long at) {}

  Agenda(Clock clock) {
    this.clock = clock;
  }

  void now(EndpointName name) {
    at(name, 0);
  }

  /**
   * @param millis unix time; an earlier one that is noted already stays
   */
  void at(EndpointName name, long millis) {
    lock.lock();
    try {
      Long noted = times.get(name);
      if (noted == null || noted > millis) {
        times.put(name, millis);
        queue.add(new Due(name, millis));
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nothing at all before that time. */
  void pause(long untilMillis) {
    lock.lock();
    try {
      pausedUntil = untilMillis;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next one whose time has come; null once this is closed. */
  @Nullable EndpointName take() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        Due first = queue.peek();
        if (first != null && !Long.valueOf(first.at()).equals(times.get(first.name()))) {
          // An earlier time took its place.
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
        changed.await(Math.min(LONGEST_WAIT, from - now), TimeUnit.MILLISECONDS);
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
