package dev.vigil.gateway.archive;

import dev.vigil.signed.jose.Jwk;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;

/** The signature of a JWS, checked by jose4j. */
final class JwsSignature {
  private JwsSignature() {}

  /**
   * Whether the key made the signature with the key's own algorithm. Any other {@code alg} is
   * refused (RFC 8725 section 3.1).
   *
   * @param jws in compact serialization, already accepted by {@link
   *     dev.vigil.signed.jose.Jws#parse}
   */
  static boolean holds(byte[] jws, Jwk key) {
    try {
      JsonWebSignature check = new JsonWebSignature();
      check.setAlgorithmConstraints(
          new AlgorithmConstraints(ConstraintType.PERMIT, key.algorithm().jose()));
      check.setCompactSerialization(new String(jws, StandardCharsets.US_ASCII));
      check.setKey(key.publicKey());
      return check.verifySignature();
    } catch (JoseException | GeneralSecurityException e) {
      // The algorithm is forbidden, the signature has the wrong length, or the key is not a point.
      return false;
    }
  }
}
