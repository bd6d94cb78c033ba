package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.endpoints.EventBacklog.Changed;
import dev.vigil.gateway.endpoints.EventBacklog.Event;
import dev.vigil.gateway.endpoints.EventBacklog.Featured;
import dev.vigil.gateway.endpoints.EventBacklog.Missed;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
 * The event stream of one client. The feed's thread adds changes to the backlog; the stream's own
 * thread sends each changed endpoint, in the order of the feed, with its state at that moment. A
 * client that has received an event has missed no change before the event's position, or has
 * received a "missed" event.
 */
final class EventStream implements Runnable {
  private static final long HEARTBEAT_SECONDS = 15;
  private static final long RECONNECT_MILLIS = 2000;

  /** The interval at which the credentials of a waiting client are checked. */
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The maximum number of endpoints in the backlog; a client that falls further behind must read
   * the list again.
   */
  private static final int MAX_BACKLOG = 10_000;

  /** Data of the event "gone": the endpoint no longer exists. */
  record GoneJson(String id) {}

  /** Data of the event "missed": the client must read the list again. */
  record MissedJson() {}

  private final SseEmitter emitter;
  private final MirrorQueries mirror;
  private final EndpointNotes notes;
  private final MeshAddresses mesh;
  private final Predicate<@Nullable String> visible;
  private final BooleanSupplier valid;
  private final Consumer<EventStream> ended;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock. */
  private final EventBacklog backlog = new EventBacklog(MAX_BACKLOG);

  /** Events that arrive before the stream follows the feed; null afterwards. */
  private @Nullable List<Event> early = new ArrayList<>();

  private boolean closed;

  /** Position after which the stream follows; set before its thread starts. */
  private long start;

  private List<Store.Subscription> subscriptions = List.of();

  /**
   * @param visible whether the client may currently look up a domain, or see events about no domain
   *     (null); called before each event is sent
   * @param valid whether the client's credentials are still valid; the stream ends with them
   * @param ended called when the stream has ended
   */
  EventStream(
      SseEmitter emitter,
      MirrorQueries mirror,
      EndpointNotes notes,
      MeshAddresses mesh,
      Predicate<@Nullable String> visible,
      BooleanSupplier valid,
      Consumer<EventStream> ended) {
    this.emitter = emitter;
    this.mirror = mirror;
    this.notes = notes;
    this.mesh = mesh;
    this.visible = visible;
    this.valid = valid;
    this.ended = ended;
  }

  /**
   * @param after changes after this position are sent
   * @param missed whether the client asked for earlier changes, which are too many to send
   * @param sources of events that are not about endpoints
   */
  void follow(long after, boolean missed, List<EventSource> sources) {
    start = after;
    if (missed) {
      backlog.miss(after);
    }
    List<Store.Subscription> following = new ArrayList<>();
    following.add(
        mirror.follow(
            after, change -> add(new Changed(change.id(), change.d(), change.position()))));
    sources.forEach(source -> following.add(source.follow(after, one -> add(new Featured(one)))));
    lock.lock();
    try {
      List<Event> stored = early == null ? List.of() : early;
      early = null;
      // Each source repeats its own past; the client resumes after the last event it received.
      stored.stream().sorted(Comparator.comparingLong(Event::position)).forEach(backlog::add);
      if (!closed) {
        subscriptions = following;
        return;
      }
    } finally {
      lock.unlock();
    }
    following.forEach(Store.Subscription::close);
  }

  private void add(Event event) {
    lock.lock();
    try {
      List<Event> beginning = early;
      if (closed) {
        return;
      }
      if (beginning == null) {
        backlog.add(event);
        changed.signal();
      } else {
        beginning.add(event);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void run() {
    try {
      // A client that disconnects before the first event can resume from this id.
      emitter.send(
          SseEmitter.event()
              .id(Long.toString(start))
              .reconnectTime(RECONNECT_MILLIS)
              .comment("vigil"));
      while (true) {
        Event next = await();
        if (isClosed() || !valid.getAsBoolean()) {
          break;
        }
        send(next);
      }
      emitter.complete();
    } catch (IOException | IllegalStateException _) {
      // The client has disconnected. Tomcat ends the request, perhaps before this line; completing
      // it here would then fail (documentation of ResponseBodyEmitter.send).
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void send(@Nullable Event next) throws IOException {
    switch (next) {
      case null -> emitter.send(SseEmitter.event().comment("still here"));
      case Missed missed -> emitter.send(event("missed", missed, new MissedJson()));
      case Featured(FeatureEvent one) -> {
        if (visible.test(one.d())) {
          emitter.send(one.stored() ? event(one.name(), next, one.data()) : event(one));
        }
      }
      case Changed change -> {
        if (visible.test(change.d())) {
          EndpointView endpoint = mirror.endpoint(change.id()).orElse(null);
          emitter.send(
              endpoint == null
                  ? event("gone", change, new GoneJson(change.id()))
                  : event("endpoint", change, EndpointJson.of(endpoint, mirror, notes, mesh)));
        }
      }
    }
  }

  private static SseEmitter.SseEventBuilder event(String name, Event event, Object data) {
    return SseEmitter.event()
        .name(name)
        .id(Long.toString(event.position()))
        .data(data, MediaType.APPLICATION_JSON);
  }

  /**
   * Sends the event without an id: the client keeps its last id and resumes from there without a
   * gap.
   */
  private static SseEmitter.SseEventBuilder event(FeatureEvent one) {
    return SseEmitter.event().name(one.name()).data(one.data(), MediaType.APPLICATION_JSON);
  }

  /** Waits for the next event; null when a heartbeat is due. */
  private @Nullable Event await() throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(HEARTBEAT_SECONDS);
      while (backlog.isEmpty() && !closed && left > 0 && valid.getAsBoolean()) {
        long part = Math.min(left, CHECK_NANOS);
        left -= part - changed.awaitNanos(part);
      }
      return backlog.poll();
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
