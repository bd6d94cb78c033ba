package dev.vigil.gateway.streams;

import dev.vigil.store.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The event stream of one client. Other threads change its backlog; its own thread sends what is in
 * it, and a comment if nothing was sent for a while.
 *
 * @param <E> an event
 */
public final class ClientStream<E> {
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** The interval at which the credentials of a waiting client are checked. */
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NO_TIMEOUT = 0;

  private final SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
  private final Backlog<E> backlog;
  private final BooleanSupplier valid;
  private final long pauseNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock, like the following fields. */
  private boolean closed;

  private final List<Store.Subscription> subscriptions = new ArrayList<>();
  private Runnable ended = () -> {};

  /**
   * @param valid whether the client's credentials are still valid; the stream ends with them
   * @param pause least time between two events
   */
  public ClientStream(Backlog<E> backlog, BooleanSupplier valid, Duration pause) {
    this.backlog = backlog;
    this.valid = valid;
    this.pauseNanos = pause.toNanos();
  }

  /** Changes the backlog under the lock of the stream, and wakes the thread of the stream. */
  public void change(Runnable change) {
    lock.lock();
    try {
      if (!closed) {
        change.run();
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes over a subscription; the end of the stream closes it. */
  public void follow(Store.Subscription subscription) {
    lock.lock();
    try {
      if (!closed) {
        subscriptions.add(subscription);
        return;
      }
    } finally {
      lock.unlock();
    }
    subscription.close();
  }

  /**
   * Starts the thread of the stream.
   *
   * @param hello the first event
   */
  SseEmitter start(SseEmitter.SseEventBuilder hello) {
    emitter.onCompletion(this::close);
    emitter.onError(error -> close());
    Thread.ofVirtual().name("events").start(() -> run(hello));
    return emitter;
  }

  private void run(SseEmitter.SseEventBuilder hello) {
    try {
      emitter.send(hello);
      while (true) {
        E next = await();
        if (isClosed() || !valid.getAsBoolean()) {
          break;
        }
        if (next == null) {
          emitter.send(SseEmitter.event().comment("still here"));
        } else {
          backlog.send(next, emitter);
          pause();
        }
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

  /** Waits for the next event; null when a heartbeat is due. */
  private @Nullable E await() throws InterruptedException {
    lock.lock();
    try {
      long left = HEARTBEAT_NANOS;
      while (backlog.isEmpty() && !closed && left > 0 && valid.getAsBoolean()) {
        long part = Math.min(left, CHECK_NANOS);
        left -= part - changed.awaitNanos(part);
      }
      return backlog.poll();
    } finally {
      lock.unlock();
    }
  }

  private void pause() throws InterruptedException {
    lock.lock();
    try {
      long left = pauseNanos;
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

  /**
   * @param then called once when the stream ends; at once if it has ended
   */
  void onEnd(Runnable then) {
    lock.lock();
    try {
      if (!closed) {
        ended = then;
        return;
      }
    } finally {
      lock.unlock();
    }
    then.run();
  }

  void close() {
    List<Store.Subscription> following;
    Runnable then;
    lock.lock();
    try {
      closed = true;
      following = List.copyOf(subscriptions);
      subscriptions.clear();
      then = ended;
      ended = () -> {};
      changed.signal();
    } finally {
      lock.unlock();
    }
    following.forEach(Store.Subscription::close);
    then.run();
  }
}
