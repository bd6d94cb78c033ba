package dev.vigil.gateway.automations.actions;

import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.trust.JwkCodec;
import java.util.Optional;

/**
 * The commander's key with which the gateway signs the commands of automations.
 *
 * @param key empty: the settings name none
 */
public record SigningKey(Optional<CommanderKey> key) {
  /** Whether a domain accepts commands that it signs. */
  public boolean isAccepted(MirrorQueries mirror, String d) {
    Domain domain = mirror.domains().get(d);
    return domain != null
        && key.isPresent()
        && !mirror.isRevoked(key.get().thumbprint())
        && domain.commanders().stream()
            .map(text -> JwkCodec.thumbprint(JwkCodec.read(text)))
            .anyMatch(key.get().thumbprint()::equals);
  }
}
