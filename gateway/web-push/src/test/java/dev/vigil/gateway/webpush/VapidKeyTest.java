package dev.vigil.gateway.webpush;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.junit.jupiter.api.Test;

class VapidKeyTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

  /** The key of a gateway whose secrets depend on the purpose and on its identity. */
  private static VapidKey key(int identity) {
    return VapidKey.of(
        purpose -> {
          byte[] octets = new byte[32];
          Arrays.fill(octets, (byte) (identity + purpose.length()));
          return octets;
        });
  }

  @Test
  void gatewaysWithOneIdentityHaveOneKey() {
    String key = key(1).publicKey();
    assertThat(key).hasSize(87).startsWith("B");
    assertThat(key(1).publicKey()).isEqualTo(key);
    assertThat(key(2).publicKey()).isNotEqualTo(key);
  }

  @Test
  void theTokenIsForOneServiceAndIsSigned() throws Exception {
    VapidKey key = key(1);
    String header =
        key.authorization(
            URI.create("https://push.example:8443/wpush/v2/abc"), "mailto:ops@example.org", NOW);
    assertThat(header).matches("vapid t=[\\w-]+\\.[\\w-]+\\.[\\w-]+, k=[\\w-]+");
    assertThat(header).endsWith(", k=" + key.publicKey());
    byte[] point = Base64.getUrlDecoder().decode(key.publicKey());
    var encoder = Base64.getUrlEncoder().withoutPadding();
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
            .setEvaluationTime(NumericDate.fromSeconds(NOW.getEpochSecond()))
            .setRequireExpirationTime()
            .setMaxFutureValidityInMinutes(24 * 60)
            .build()
            .processToClaims(header.substring("vapid t=".length(), header.indexOf(", k=")));
    assertThat(claims.getSubject()).isEqualTo("mailto:ops@example.org");
  }
}
