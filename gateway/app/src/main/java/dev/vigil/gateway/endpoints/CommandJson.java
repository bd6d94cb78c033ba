package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.mirror.model.CommandView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command to a sleepy endpoint.
 *
 * @param path of the resource
 * @param seq number among the commands of the endpoint
 * @param by thumbprint of the commander's key
 * @param state queued, fetched, confirmed, refused, expired or cancelled; queued and fetched ones
 *     are pending
 * @param reason why the endpoint did not carry it out, a number from 400 to 599 that it signed;
 *     absent unless refused
 */
record CommandJson(
    String path,
    long seq,
    String by,
    @LabelsOf(CommandView.State.class) String state,
    Instant queuedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant endedAt,
    @Nullable Integer reason) {

  static CommandJson of(CommandView view) {
    return new CommandJson(
        view.path(),
        view.seq(),
        view.commander(),
        view.state().label(),
        view.queuedAt(),
        view.expiresAt(),
        view.endedAt(),
        view.reason() == 0 ? null : view.reason());
  }
}
