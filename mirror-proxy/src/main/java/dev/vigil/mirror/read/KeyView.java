package dev.vigil.mirror.read;

import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.signed.jose.Jwk;
import org.jspecify.annotations.Nullable;

/**
 * A key of an endpoint, a listed key or a revoked key.
 *
 * @param jwk the public key; null if only the thumbprint is known
 * @param id of the endpoint that has or had the key or for which it is held; null if there is none
 * @param ep the name of that endpoint; for a listed key the only name that it may register; null
 *     for none or any
 * @param state null for a listed key that is unused
 * @param held whether it awaits an operator's decision on a name that belongs to another key; its
 *     state is then PENDING
 * @param note why the key awaits a decision, else null
 * @param arrival when and from where it came while it awaits a decision, else null
 */
public record KeyView(
    String jkt,
    @Nullable Jwk jwk,
    @Nullable String id,
    @Nullable String ep,
    String d,
    @Nullable TrustState state,
    boolean held,
    @Nullable String note,
    @Nullable KeyArrival arrival) {

  /** The same key with the details of its wait for a decision. */
  KeyView waiting(@Nullable KeyArrival newArrival) {
    return new KeyView(jkt, jwk, id, ep, d, state, held, note, newArrival);
  }
}
