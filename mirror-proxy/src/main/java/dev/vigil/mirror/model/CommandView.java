package dev.vigil.mirror.model;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command to a sleepy endpoint, as operators and applications see it.
 *
 * @param path of the resource, percent-encoded
 * @param commander the thumbprint of the commander's key
 * @param expiresAt null if never
 * @param endedAt null while it is pending
 * @param reason why the endpoint did not carry it out (docs/protocol.md section 8); 0 unless
 *     REFUSED
 */
public record CommandView(
    String path,
    long seq,
    String commander,
    State state,
    Instant queuedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant endedAt,
    int reason) {

  /**
   * QUEUED leads to FETCHED. Both are pending and lead to each of the other states. Those are
   * final, except that EXPIRED and CANCELLED lead to CONFIRMED or REFUSED if the endpoint's result
   * arrives afterwards.
   */
  public enum State {
    QUEUED,
    FETCHED,
    CONFIRMED,
    REFUSED,
    EXPIRED,
    CANCELLED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param now unix time in seconds; a command whose time is over counts as expired before the
   *     store records it
   */
  public static CommandView of(CommandQueue.Command command, long now) {
    return new CommandView(
        command.path(),
        command.seq(),
        command.commander(),
        command.isOpen() && !command.isPending(now) ? State.EXPIRED : command.state(),
        Instant.ofEpochSecond(command.queuedAt()),
        instant(command.expiresAt()),
        instant(command.endedAt()),
        command.reason());
  }

  private static @Nullable Instant instant(long seconds) {
    return seconds == 0 ? null : Instant.ofEpochSecond(seconds);
  }
}
