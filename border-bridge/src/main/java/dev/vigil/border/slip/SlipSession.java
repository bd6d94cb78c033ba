package dev.vigil.border.slip;

import org.jspecify.annotations.Nullable;

/**
 * What is said over a SLIP line, as a state machine without I/O: frames and the time go in, frames
 * to send come out. The line that drives it calls it under one lock.
 */
public interface SlipSession {
  /** The line works (again); everything before is forgotten. */
  void connected(long nowMillis);

  /** A frame came, unescaped. */
  void received(byte[] frame, long nowMillis);

  /** The next frame to send, if one may be sent now. */
  byte @Nullable [] next(long nowMillis);

  /**
   * When {@link #next} is worth asking again, milliseconds; {@link Long#MAX_VALUE}: on an event.
   */
  long deadline();

  /** Whether the other side has been silent for so long that the line should be opened anew. */
  boolean isDead(long nowMillis);

  /** The line is gone. */
  void disconnected();
}
