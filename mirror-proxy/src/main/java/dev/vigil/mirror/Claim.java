package dev.vigil.mirror;

import dev.vigil.directory.state.EndpointName;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Jws;
import org.jspecify.annotations.Nullable;

/**
 * A registration, read and not yet judged.
 *
 * @param lease aliases still empty
 * @param seq its number; 0 of a plain one
 * @param epk the key for encrypted updates, when one was sent
 * @param jws what the key signed; null of a plain registration
 * @param rotation the outer JWS by the old key, when there is one
 * @param text the JWS as it came, for the store
 */
record Claim(
    EndpointName name,
    Domain domain,
    Jwk key,
    String jkt,
    Lease lease,
    long seq,
    @Nullable Jwk epk,
    @Nullable Jws jws,
    @Nullable Jws rotation,
    @Nullable String text) {

  boolean withdraws() {
    return lease.lifetime() == 0;
  }

  boolean isSigned() {
    return jws != null;
  }
}
