package dev.vigil.gateway.endpoints;

import dev.vigil.mirror.CommandView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command to a sleeper.
 *
 * @param path of the resource it is for
 * @param seq its number, of the endpoint's commands
 * @param by the thumbprint of the commander's key
 * @param state queued, fetched, confirmed, expired or cancelled; only the first two still wait
 */
record CommandJson(
    String path,
    long seq,
    String by,
    String state,
    Instant queuedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant endedAt) {

  static CommandJson of(CommandView view) {
    return new CommandJson(
        view.path(),
        view.seq(),
        view.by(),
        view.state().label(),
        view.queued(),
        view.expires(),
        view.ended());
  }
}
