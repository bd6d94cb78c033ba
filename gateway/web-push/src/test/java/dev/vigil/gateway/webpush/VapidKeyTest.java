package dev.vigil.gateway.webpush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.SharedSecrets;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.junit.jupiter.api.Test;

class VapidKeyTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

  /** Secrets that depend on the purpose and on a gateway's identity. */
  private record Derived(int identity) implements SharedSecrets {
    @Override
    public byte[] derive(String purpose) {
      byte[] octets = new byte[32];
      Arrays.fill(octets, (byte) (identity + purpose.length()));
      return octets;
    }

    @Override
    public String agree(String name, Predicate<String> usable, Supplier<String> own) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void gatewaysWithOneIdentityHaveOneKey() {
    String key = VapidKey.of(new Derived(1)).publicKey();
    assertThat(key).hasSize(87).startsWith("B");
    assertThat(VapidKey.of(new Derived(1)).publicKey()).isEqualTo(key);
    assertThat(VapidKey.of(new Derived(2)).publicKey()).isNotEqualTo(key);
  }

  @Test
  void everyPrivateKeyGetsItsPublicKey() {
    for (int scalar = 1; scalar < 20; scalar++) {
      // The restoration fails if the two do not belong together.
      assertThat(VapidKey.pair(BigInteger.valueOf(scalar)).jwk().point()).hasSize(64);
    }
  }

  @Test
  void theTokenIsForOneServiceAndIsSigned() throws Exception {
    VapidKey key = VapidKey.of(new Derived(1));
    String header =
        key.authorization(
            URI.create("https://push.example:8443/wpush/v2/abc"), "mailto:ops@example.org", NOW);
    assertThat(header).matches("vapid t=[\\w-]+\\.[\\w-]+\\.[\\w-]+, k=[\\w-]+");
    assertThat(header).endsWith(", k=" + key.publicKey());
    byte[] point = java.util.Base64.getUrlDecoder().decode(key.publicKey());
    var encoder = java.util.Base64.getUrlEncoder().withoutPadding();
    PublicJsonWebKey jwk =
        PublicJsonWebKey.Factory.newPublicJwk(
            Map.of(
                "kty",
                "EC",
                "crv",
                "P-256",
                "x",
                encoder.encodeToString(Arrays.copyOfRange(point, 1, 33)),
                "y",
                encoder.encodeToString(Arrays.copyOfRange(point, 33, 65))));
    JwtClaims claims =
        new JwtConsumerBuilder()
            .setVerificationKey(jwk.getKey())
            .setExpectedAudience("https://push.example:8443")
            .setEvaluationTime(org.jose4j.jwt.NumericDate.fromSeconds(NOW.getEpochSecond()))
            .setRequireExpirationTime()
            .setMaxFutureValidityInMinutes(24 * 60)
            .build()
            .processToClaims(header.substring("vapid t=".length(), header.indexOf(", k=")));
    assertThat(claims.getSubject()).isEqualTo("mailto:ops@example.org");
  }
}
