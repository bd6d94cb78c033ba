package dev.vigil.gateway.endpoints;

import dev.vigil.directory.state.Store;
import dev.vigil.gateway.endpoints.Backlog.Changed;
import dev.vigil.gateway.endpoints.Backlog.Missed;
import dev.vigil.gateway.endpoints.Backlog.Note;
import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.MirrorProxy;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * One reader's stream. The feed notes the newest position of each endpoint that changed; the
 * stream's own thread sends, in the order of those positions, each endpoint as it is when its turn
 * comes. So whoever has seen an event's position has missed nothing before it, or was told so.
 */
final class EventStream implements Runnable {
  private static final long HEARTBEAT_SECONDS = 15;
  private static final long RECONNECT_MILLIS = 2000;

  /** Endpoints that wait to be told of: a reader that falls further behind reads the list again. */
  private static final int MOST_WAITING = 10_000;

  /** Data of the event that an endpoint is there no longer. */
  record GoneJson(String id) {}

  /** Data of the event that the reader is to read the list again. */
  record MissedJson() {}

  private final SseEmitter emitter;
  private final MirrorProxy mirror;
  private final Predicate<String> visible;
  private final Consumer<EventStream> ended;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock. */
  private final Backlog backlog = new Backlog(MOST_WAITING);

  private boolean closed;
  private Store.@Nullable Subscription subscription;

  /**
   * @param visible whether this reader may look up in a domain
   */
  EventStream(
      SseEmitter emitter,
      MirrorProxy mirror,
      Predicate<String> visible,
      Consumer<EventStream> ended) {
    this.emitter = emitter;
    this.mirror = mirror;
    this.visible = visible;
    this.ended = ended;
  }

  /**
   * @param after the position from which on changes are told
   * @param missed whether the reader wanted earlier ones
   */
  void follow(long after, boolean missed) {
    if (missed) {
      backlog.miss(after);
    }
    Store.Subscription following =
        mirror.follow(after, event -> note(new Changed(event.id(), event.d(), event.position())));
    lock.lock();
    try {
      if (!closed) {
        subscription = following;
        return;
      }
    } finally {
      lock.unlock();
    }
    following.close();
  }

  private void note(Changed note) {
    lock.lock();
    try {
      if (!closed) {
        backlog.add(note);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void run() {
    try {
      emitter.send(SseEmitter.event().reconnectTime(RECONNECT_MILLIS).comment("vigil"));
      while (true) {
        Note next = await();
        if (isClosed()) {
          break;
        }
        send(next);
      }
      emitter.complete();
    } catch (IOException | IllegalStateException e) {
      // The reader has gone.
      emitter.completeWithError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void send(@Nullable Note next) throws IOException {
    switch (next) {
      case null -> emitter.send(SseEmitter.event().comment("still here"));
      case Missed missed -> emitter.send(event("missed", missed, new MissedJson()));
      case Changed change -> {
        if (visible.test(change.d())) {
          EndpointView endpoint = mirror.endpoint(change.id()).orElse(null);
          emitter.send(
              endpoint == null
                  ? event("gone", change, new GoneJson(change.id()))
                  : event("endpoint", change, EndpointJson.of(endpoint, mirror)));
        }
      }
    }
  }

  private static SseEmitter.SseEventBuilder event(String name, Note note, Object data) {
    return SseEmitter.event()
        .name(name)
        .id(Long.toString(note.position()))
        .data(data, MediaType.APPLICATION_JSON);
  }

  /** The oldest note; null when there was none for so long that the reader needs a sign. */
  private @Nullable Note await() throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(HEARTBEAT_SECONDS);
      while (backlog.isEmpty() && !closed && left > 0) {
        left = changed.awaitNanos(left);
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
    Store.Subscription following;
    lock.lock();
    try {
      closed = true;
      following = subscription;
      subscription = null;
      changed.signal();
    } finally {
      lock.unlock();
    }
    if (following != null) {
      following.close();
    }
    ended.accept(this);
  }
}
