package dev.vigil.mirror.model;

import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.store.EndpointName;
import org.jspecify.annotations.Nullable;

/**
 * A registration that was parsed but not yet decided (docs/protocol.md section 2).
 *
 * @param jkt the thumbprint of {@code key}
 * @param lease without aliases
 * @param seq its sequence number; 0 for a plain registration
 * @param epk the endpoint's ephemeral key for encrypted updates, if it sent one
 * @param jws the JWS signed with {@code key}; null for a plain registration
 * @param rotation the outer JWS, signed with the former key; null if there is none
 * @param text the payload of a signed registration as received, for the store
 * @param arrival when and from where it came
 */
public record RegistrationRequest(
    EndpointName name,
    Domain domain,
    Jwk key,
    String jkt,
    Lease lease,
    long seq,
    @Nullable Jwk epk,
    @Nullable Jws jws,
    @Nullable Jws rotation,
    @Nullable String text,
    KeyArrival arrival) {

  /** Whether the registration withdraws the endpoint ({@code "lt":0}). */
  public boolean withdraws() {
    return lease.lifetime() == 0;
  }

  public boolean isSigned() {
    return jws != null;
  }
}
