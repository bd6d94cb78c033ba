package dev.vigil.mirror.model;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command to a sleepy endpoint, as operators and applications see it.
 *
 * @param path of the resource, percent-encoded
 * @param commander the thumbprint of the commander's key
 * @param expiresAt null: never
 * @param endedAt null while it is pending
 */
public record CommandView(
    String path,
    long seq,
    String commander,
    State state,
    Instant queuedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant endedAt) {

  /** QUEUED leads to FETCHED; both are pending and lead to each of the others, which are final. */
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

  /**
   * @param now unix time in seconds; a command whose time is over counts as expired before the
   *     store says so
   */
  public static CommandView of(CommandQueue.Command command, long now) {
    return new CommandView(
        command.path(),
        command.seq(),
        command.commander(),
        command.isOpen() && !command.isPending(now) ? State.EXPIRED : command.state(),
        Instant.ofEpochSecond(command.queuedAt()),
        instant(command.expiresAt()),
        instant(command.endedAt()));
  }

  private static @Nullable Instant instant(long seconds) {
    return seconds == 0 ? null : Instant.ofEpochSecond(seconds);
  }
}
