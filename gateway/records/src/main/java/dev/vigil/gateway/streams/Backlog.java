package dev.vigil.gateway.streams;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The events that a stream has not sent yet. Its size is bounded.
 *
 * @param <E> an event
 */
public interface Backlog<E> {
  /** Called under the lock of the stream. */
  boolean isEmpty();

  /** Removes the oldest event; null if there is none. Called under the lock of the stream. */
  @Nullable E poll();

  /** Sends an event that was removed, or nothing if the client may not see it any more. */
  void send(E event, SseEmitter emitter) throws IOException;
}
