package dev.vigil.gateway.endpoints;

import dev.vigil.directory.state.Store;
import dev.vigil.mirror.MirrorProxy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
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

  private record Note(String id, long position) {}

  private final SseEmitter emitter;
  private final Function<String, Optional<EndpointJson>> endpoints;
  private final Consumer<EventStream> ended;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock: newest positions by endpoint, oldest first. */
  private final Map<String, Long> notes = new LinkedHashMap<>();

  private boolean closed;
  private Store.@Nullable Subscription subscription;

  /**
   * @param endpoints what this reader sees of an endpoint; empty when it may not
   */
  EventStream(
      SseEmitter emitter,
      Function<String, Optional<EndpointJson>> endpoints,
      Consumer<EventStream> ended) {
    this.emitter = emitter;
    this.endpoints = endpoints;
    this.ended = ended;
  }

  void follow(MirrorProxy mirror, long after) {
    Store.Subscription following =
        mirror.follow(after, event -> note(event.id(), event.position()));
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

  private void note(String id, long position) {
    lock.lock();
    try {
      if (!closed) {
        // Taken out first, so that it goes to the end.
        notes.remove(id);
        notes.put(id, position);
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
    Optional<EndpointJson> endpoint = endpoints.apply(next.id());
    if (endpoint.isPresent()) {
      emitter.send(
          SseEmitter.event()
              .name("endpoint")
              .id(Long.toString(next.position()))
              .data(endpoint.get(), MediaType.APPLICATION_JSON));
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
      Map.Entry<String, Long> entry = oldest.next();
      Note note = new Note(entry.getKey(), entry.getValue());
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
