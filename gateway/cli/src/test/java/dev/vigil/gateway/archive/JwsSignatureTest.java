package dev.vigil.gateway.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.SignatureVerifier;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JwsSignatureTest {
  private static final SignatureVerifier OURS =
      new SignatureVerifier(SignatureVerifier.Choice.BOUNCY_CASTLE);

  private static PublicJsonWebKey pair(String algorithm) throws JoseException {
    return switch (algorithm) {
      case "ES256" -> EcJwkGenerator.generateJwk(EllipticCurves.P256);
      case "ES384" -> EcJwkGenerator.generateJwk(EllipticCurves.P384);
      default -> OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519);
    };
  }

  private static Jwk known(PublicJsonWebKey pair) {
    return Jwk.parse(pair.toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY).getBytes(UTF_8));
  }

  private static byte[] signed(PublicJsonWebKey pair, String algorithm) throws JoseException {
    JsonWebSignature jws = new JsonWebSignature();
    jws.setAlgorithmHeaderValue(algorithm);
    jws.setPayload("[{\"n\":\"t\",\"v\":1}]");
    jws.setKey(pair.getPrivateKey());
    return jws.getCompactSerialization().getBytes(UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ES256", "ES384", "EdDSA"})
  void agreesWithOurVerifierOnEverythingOurParserAccepts(String algorithm) throws JoseException {
    PublicJsonWebKey pair = pair(algorithm);
    Jwk key = known(pair);
    byte[] good = signed(pair, algorithm);
    assertThat(JwsSignature.holds(good, key)).isTrue();
    assertThat(JwsSignature.holds(good, known(pair(algorithm)))).isFalse();
    Random random = new Random(7515);
    int parsed = 0;
    for (int i = 0; i < 300; i++) {
      byte[] octets = Arrays.copyOf(good, good.length - (i % 3 == 0 ? random.nextInt(90) : 0));
      octets[random.nextInt(octets.length)] = (byte) random.nextInt(33, 127);
      try {
        Jws ours = Jws.parse(octets);
        parsed++;
        boolean expected = ours.header().algorithm() == key.algorithm() && OURS.verify(key, ours);
        assertThat(JwsSignature.holds(octets, key)).isEqualTo(expected);
      } catch (SignedObjectException e) {
        // The strict parser refuses the object first.
      }
    }
    assertThat(parsed).isGreaterThan(50);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ES256", "ES384", "EdDSA"})
  void holdsForTheAlgorithmOfTheKeyAlone(String algorithm) throws JoseException {
    byte[] jws = signed(pair(algorithm), algorithm);
    for (String other : List.of("ES256", "ES384", "EdDSA")) {
      assertThat(JwsSignature.holds(jws, known(pair(other)))).as(other).isFalse();
    }
  }

  @Test
  void aPublicKeyIsNeverTakenForAnHmacSecret() throws JoseException {
    Jwk key = known(pair("ES256"));
    JsonWebSignature forged = new JsonWebSignature();
    forged.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
    forged.setAlgorithmHeaderValue("HS256");
    forged.setPayload("[]");
    forged.setKey(new HmacKey(key.json().getBytes(UTF_8)));
    assertThat(JwsSignature.holds(forged.getCompactSerialization().getBytes(UTF_8), key)).isFalse();
    assertThat(JwsSignature.holds("eyJhbGciOiJub25lIn0.W10.".getBytes(UTF_8), key)).isFalse();
  }
}
