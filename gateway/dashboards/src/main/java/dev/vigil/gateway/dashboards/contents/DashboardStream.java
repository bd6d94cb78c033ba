package dev.vigil.gateway.dashboards.contents;

import dev.vigil.store.Store;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The event stream of one viewer of a dashboard: the ids of tiles that have changed, at most once
 * in half a second. Contents are not part of it. Other threads add ids; the stream's own thread
 * sends them.
 */
final class DashboardStream implements Runnable {
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The interval at which the credentials of a waiting client are checked. */
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Data of the event "tiles". */
  record TilesJson(List<String> tiles) {}

  /** Data of the event "dashboard": read the dashboard again. */
  record DashboardJson() {}

  private final SseEmitter emitter;
  private final Predicate<String> shows;
  private final BooleanSupplier valid;
  private final Consumer<DashboardStream> ended;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The domains of changes by tile. Guarded by the lock, like all following fields. */
  private final Map<String, Set<String>> changes = new LinkedHashMap<>();

  private boolean dashboard;
  private boolean closed;
  private List<Store.Subscription> subscriptions = List.of();

  /** A message to send: the domains of changes by tile. */
  private record Due(boolean dashboard, Map<String, Set<String>> tiles) {}

  /**
   * @param shows whether the viewer may see things of a domain; asked before each event, so that
   *     the time of an event tells nothing about others
   * @param valid whether the viewer's credentials are still valid; the stream ends with them
   * @param ended called when the stream has ended
   */
  DashboardStream(
      SseEmitter emitter,
      Predicate<String> shows,
      BooleanSupplier valid,
      Consumer<DashboardStream> ended) {
    this.emitter = emitter;
    this.shows = shows;
    this.valid = valid;
    this.ended = ended;
  }

  /** Takes over subscriptions; the end of the stream closes them. */
  void follow(List<Store.Subscription> following) {
    lock.lock();
    try {
      if (!closed) {
        subscriptions = following;
        return;
      }
    } finally {
      lock.unlock();
    }
    following.forEach(Store.Subscription::close);
  }

  /** Something of a domain has changed that tiles show. */
  void add(List<String> tiles, String domain) {
    if (tiles.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      tiles.forEach(tile -> changes.computeIfAbsent(tile, any -> new HashSet<>()).add(domain));
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** The dashboard itself has changed. */
  void addDashboard() {
    lock.lock();
    try {
      dashboard = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void run() {
    try {
      emitter.send(SseEmitter.event().comment("vigil"));
      while (true) {
        Due due = await();
        if (isClosed() || !valid.getAsBoolean()) {
          break;
        }
        send(due);
        pause();
      }
      emitter.complete();
    } catch (IOException | IllegalStateException _) {
      // The client has disconnected, and Tomcat ends the request.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void send(@Nullable Due due) throws IOException {
    if (due == null) {
      emitter.send(SseEmitter.event().comment("still here"));
    } else if (due.dashboard()) {
      emitter.send(
          SseEmitter.event()
              .name("dashboard")
              .data(new DashboardJson(), MediaType.APPLICATION_JSON));
    } else {
      List<String> tiles =
          due.tiles().entrySet().stream()
              .filter(one -> one.getValue().stream().anyMatch(shows))
              .map(Map.Entry::getKey)
              .toList();
      if (!tiles.isEmpty()) {
        emitter.send(
            SseEmitter.event()
                .name("tiles")
                .data(new TilesJson(tiles), MediaType.APPLICATION_JSON));
      }
    }
  }

  /** Waits for a change; null when a heartbeat is due. */
  private @Nullable Due await() throws InterruptedException {
    lock.lock();
    try {
      long left = HEARTBEAT_NANOS;
      while (changes.isEmpty() && !dashboard && !closed && left > 0 && valid.getAsBoolean()) {
        long part = Math.min(left, CHECK_NANOS);
        left -= part - changed.awaitNanos(part);
      }
      Due due =
          changes.isEmpty() && !dashboard ? null : new Due(dashboard, new LinkedHashMap<>(changes));
      dashboard = false;
      changes.clear();
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** Changes that follow closely are sent together. */
  private void pause() throws InterruptedException {
    lock.lock();
    try {
      long left = PAUSE_NANOS;
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    List<Store.Subscription> following;
    lock.lock();
    try {
      closed = true;
      following = subscriptions;
      subscriptions = List.of();
      changed.signal();
    } finally {
      lock.unlock();
    }
    following.forEach(Store.Subscription::close);
    ended.accept(this);
  }
}
