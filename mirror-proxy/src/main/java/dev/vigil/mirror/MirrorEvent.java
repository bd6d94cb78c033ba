package dev.vigil.mirror;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of the mirror, in the order of the store's feed.
 *
 * @param position in the store's feed; one position may bring several events
 * @param path of the resource an update or a command is for, else null
 * @param seq of the update or command, else 0
 * @param text the value as text, or one line of what happened
 */
public record MirrorEvent(
    long position,
    Kind kind,
    String id,
    String ep,
    String d,
    Instant at,
    @Nullable String path,
    long seq,
    String text) {

  /** What happened. */
  public enum Kind {
    REGISTERED,
    WITHDRAWN,
    UPDATED,
    TRUST,
    COMMAND
  }
}
