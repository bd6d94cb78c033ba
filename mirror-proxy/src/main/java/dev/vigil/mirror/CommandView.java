package dev.vigil.mirror;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command to a sleeper.
 *
 * @param by the thumbprint of the commander's key
 * @param expires null when it does not
 */
public record CommandView(
    String path,
    long seq,
    String by,
    State state,
    Instant queued,
    @Nullable Instant expires,
    @Nullable Instant ended) {

  /** How far it got. Only QUEUED and FETCHED still wait. */
  public enum State {
    QUEUED,
    FETCHED,
    CONFIRMED,
    EXPIRED,
    CANCELLED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
