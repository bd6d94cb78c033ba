package dev.vigil.border.slip;

import org.jspecify.annotations.Nullable;

/**
 * The dialogue over a SLIP line, as a state machine without I/O: frames and the time go in, frames
 * to send come out. The line calls it under one lock.
 */
public interface SlipSession {
  /** The line is up; the session restarts. */
  void connected(long nowMillis);

  /** Takes a received frame, unescaped. */
  void received(byte[] frame, long nowMillis);

  /** The next frame to send; null if none may be sent now. */
  byte @Nullable [] next(long nowMillis);

  /**
   * The time at which to call {@link #next} again, in milliseconds; {@link Long#MAX_VALUE} means
   * only after an event.
   */
  long deadline();

  /** Whether the other side has been silent for so long that the line must be reopened. */
  boolean isDead(long nowMillis);

  /** The line is down. */
  void disconnected();
}
