package dev.vigil.signed.jose;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.interfaces.ECPrivateKey;
import org.junit.jupiter.api.Test;

class LocalKeyPairTest {
  /** The first private keys, whose points have an even y or an odd one, and the last. */
  @Test
  void everyPrivateKeyGetsItsPublicKey() {
    for (int scalar = 1; scalar < 20; scalar++) {
      requirePair(BigInteger.valueOf(scalar));
    }
    requirePair(CurvePoints.P256.getOrder().subtract(BigInteger.ONE));
  }

  private static void requirePair(BigInteger scalar) {
    LocalKeyPair pair = LocalKeyPair.ofScalar(scalar);
    assertThat(((ECPrivateKey) pair.keyPair().getPrivate()).getS()).isEqualTo(scalar);
    // The restoration fails if the two do not belong together.
    assertThat(LocalKeyPair.restore(pair.keyPair().getPrivate(), pair.jwk()).jwk())
        .isEqualTo(pair.jwk());
  }
}
