package dev.vigil.gateway.endpoints;

import dev.vigil.directory.state.Store;
import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.MirrorProxy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
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
 * comes. So whoever has seen an event's position has missed nothing before it.
 */
final class EventStream implements Runnable {
  private static final long HEARTBEAT_SECONDS = 15;
  private static final long RECONNECT_MILLIS = 2000;

  /**
   * @param d the domain of the endpoint
   */
  private record Note(String id, String d, long position) {}

  /** Data of the event that an endpoint is there no longer. */
  record GoneJson(String id) {}

  private final SseEmitter emitter;
  private final MirrorProxy mirror;
  private final Predicate<String> visible;
  private final Consumer<EventStream> ended;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock: the newest of each endpoint, oldest first. */
  private final Map<String, Note> notes = new LinkedHashMap<>();

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

  void follow(long after) {
    Store.Subscription following =
        mirror.follow(after, event -> note(new Note(event.id(), event.d(), event.position())));
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

  private void note(Note note) {
    lock.lock();
    try {
      if (!closed) {
        // Taken out first, so that it goes to the end.
        notes.remove(note.id);
        notes.put(note.id, note);
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
    if (next == null) {
      emitter.send(SseEmitter.event().comment("still here"));
      return;
    }
    if (visible.test(next.d)) {
      EndpointView endpoint = mirror.endpoint(next.id).orElse(null);
      emitter.send(
          SseEmitter.event()
              .name(endpoint == null ? "gone" : "endpoint")
              .id(Long.toString(next.position))
              .data(
                  endpoint == null ? new GoneJson(next.id) : EndpointJson.of(endpoint, mirror),
                  MediaType.APPLICATION_JSON));
    }
  }

  /** The oldest note; null when there was none for so long that the reader needs a sign. */
  private @Nullable Note await() throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(HEARTBEAT_SECONDS);
      while (notes.isEmpty() && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      var oldest = notes.entrySet().iterator();
      if (!oldest.hasNext()) {
        return null;
      }
      Note note = oldest.next().getValue();
      oldest.remove();
      return note;
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
