package dev.vigil.mirror.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of the mirror, in the order of the store's feed.
 *
 * @param position in the store's feed; events of one change have the same position
 * @param path of the updated resource, else null
 * @param seq of the update, else 0
 * @param text the value as text, or one line about the event
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

  /** The kind of change. */
  public enum Kind {
    REGISTERED,
    WITHDRAWN,
    UPDATED,
    TRUST,
    COMMAND
  }
}
