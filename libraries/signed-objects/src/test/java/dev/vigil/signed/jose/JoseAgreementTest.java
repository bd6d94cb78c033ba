package dev.vigil.signed.jose;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.signed.Fault;
import dev.vigil.signed.SignedObjectException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our parser and jose4j's agree on every JWS that ours accepts. */
class JoseAgreementTest {
  private static final SignatureVerifier SIGNATURES =
      new SignatureVerifier(SignatureVerifier.Choice.AUTO);
  private static final Map<SignatureAlgorithm, TestSigner> SIGNERS =
      new EnumMap<>(SignatureAlgorithm.class);

  static {
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      SIGNERS.put(algorithm, new TestSigner(algorithm));
    }
  }

  private static TestSigner signer(SignatureAlgorithm algorithm) {
    return SIGNERS.computeIfAbsent(algorithm, TestSigner::new);
  }

  @Test
  void agreesForAnyOrderSpacesAndEscapesOfTheHeader() throws Exception {
    Random random = new Random(7515);
    int headers = "1".equals(System.getenv("VIGIL_TEST_ALL")) ? 600 : 150;
    for (int i = 0; i < headers; i++) {
      SignatureAlgorithm algorithm = SignatureAlgorithm.values()[random.nextInt(3)];
      long seq = 1 + (random.nextLong() & ((1L << random.nextInt(1, 53)) - 1));
      byte[] payload = new byte[random.nextInt(200)];
      random.nextBytes(payload);
      String header = header(random, algorithm, seq);
      byte[] octets = signer(algorithm).jws(header, payload);
      if (random.nextInt(4) == 0) {
        // The first character of the signature's last group carries no unused bits.
        octets[octets.length - 40] = (byte) (octets[octets.length - 40] == 'A' ? 'B' : 'A');
      }

      Jws ours = Jws.parse(octets);
      assertAgreement(ours, octets, signer(algorithm).jwk());
      assertThat(ours.header().seq()).isEqualTo(seq);
      assertThat(ours.payload()).isEqualTo(payload);
    }
  }

  private static String header(Random random, SignatureAlgorithm algorithm, long seq) {
    List<String> members = new ArrayList<>();
    members.add(quoted(random, "alg") + space(random) + ":" + quoted(random, algorithm.jose()));
    members.add("\"kid\":" + quoted(random, signer(algorithm).jkt()));
    members.add("\"res\":" + quoted(random, "a/b%20c" + random.nextInt(100)));
    members.add("\"cty\":" + quoted(random, "application/senml+json"));
    members.add("\"seq\"" + space(random) + ":" + space(random) + seq);
    if (random.nextBoolean()) {
      members.add("\"ack\":" + random.nextInt(1000));
    }
    if (random.nextBoolean()) {
      members.add("\"x\":{\"y\":[1,2.5e3,true,null,\"\\u00e9\u00e9\"]}");
    }
    Collections.shuffle(members, random);
    return space(random)
        + "{"
        + space(random)
        + String.join(space(random) + "," + space(random), members)
        + "}"
        + space(random);
  }

  private static String space(Random random) {
    return random.nextInt(3) == 0 ? "\r\n " : "";
  }

  /** A JSON string with some characters written as escapes. */
  private static String quoted(Random random, String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (random.nextInt(20) == 0) {
        quoted.append("\\u%04X".formatted((int) c));
      } else if (c == '/' && random.nextBoolean()) {
        quoted.append("\\/");
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Fails unless jose4j parses the same header and payload and verifies with the same result. */
  private static void assertAgreement(Jws ours, byte[] octets, Jwk key) throws JoseException {
    JsonWebSignature theirs = new JsonWebSignature();
    theirs.setCompactSerialization(new String(octets, US_ASCII));
    theirs.setAlgorithmConstraints(
        new AlgorithmConstraints(
            AlgorithmConstraints.ConstraintType.PERMIT, "ES256", "ES384", "EdDSA"));
    theirs.setKey(((PublicJsonWebKey) JsonWebKey.Factory.newJwk(key.json())).getPublicKey());
    assertThat(theirs.getAlgorithmHeaderValue()).isEqualTo(ours.header().algorithm().jose());
    assertThat(theirs.getKeyIdHeaderValue()).isEqualTo(ours.header().kid());
    assertThat(theirs.getContentTypeHeaderValue()).isEqualTo(ours.header().cty());
    assertThat(theirs.getHeader("res")).isEqualTo(ours.header().res());
    Long seq = theirs.getHeaders().getLongHeaderValue("seq");
    assertThat(seq == null ? ProtectedHeader.ABSENT : seq).isEqualTo(ours.header().seq());
    if (ours.header().algorithm() == key.algorithm()) {
      assertThat(theirs.verifySignature()).isEqualTo(SIGNATURES.verify(key, ours));
    }
    assertThat(theirs.getUnverifiedPayloadBytes()).isEqualTo(ours.payload());
  }

  @FuzzTest(maxDuration = "10s")
  void agreesOnAnyOctetsThatOursAccepts(FuzzedDataProvider data) throws Exception {
    boolean raw = data.consumeBoolean();
    byte[] octets;
    if (raw) {
      octets = data.consumeRemainingAsBytes();
    } else {
      byte[] payload = data.consumeBytes(64);
      String header = data.consumeRemainingAsString();
      octets = signer(SignatureAlgorithm.ES256).jws(header, payload);
    }
    Jws ours;
    try {
      ours = Jws.parse(octets);
    } catch (SignedObjectException e) {
      assertThat(e.line()).isNotEmpty().doesNotContain("\n");
      return;
    }
    assertAgreement(ours, octets, signer(SignatureAlgorithm.ES256).jwk());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"alg\":\"ES256\",\"alg\":\"ES256\"}",
        "{\"alg\":\"ES256\",\"seq\":1,\"seq\":2}",
        "{\"alg\":\"none\"}",
        "{\"alg\":\"HS256\"}",
        "{\"alg\":\"RS256\"}",
        "{\"alg\":7}",
        "{\"seq\":1}",
        "{\"alg\":\"ES256\",\"seq\":-1}",
        "{\"alg\":\"ES256\",\"seq\":1.0}",
        "{\"alg\":\"ES256\",\"seq\":01}",
        "{\"alg\":\"ES256\",\"seq\":9007199254740992}",
        "{\"alg\":\"ES256\",\"seq\":\"1\"}",
        "{\"alg\":\"ES256\"}x",
        "{\"alg\":\"ES256\",}",
        "{\"alg\":\"ES256\",\"x\":\"\\ud800\"}",
        "[\"ES256\"]",
        ""
      })
  void refusesMalformedHeaders(String header) {
    assertRefused(header, Fault.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"alg\":\"ES256\",\"jku\":\"https://example.org\"}",
        "{\"alg\":\"ES256\",\"x5c\":[]}",
        "{\"alg\":\"ES256\",\"x5u\":\"https://example.org\"}",
        "{\"alg\":\"ES256\",\"b64\":false}",
        "{\"alg\":\"ES256\",\"crit\":[\"exp\"]}",
        "{\"alg\":\"ES256\",\"jwk\":{\"kty\":\"EC\",\"d\":\"AAAA\"}}",
        "{\"alg\":\"ES256\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AAAA\"}}"
      })
  void refusesForbiddenMembers(String header) {
    assertRefused(header, Fault.FORBIDDEN_MEMBER);
  }

  private static void assertRefused(String header, Fault reason) {
    byte[] octets = signer(SignatureAlgorithm.ES256).jws(header, new byte[3]);
    assertThatThrownBy(() -> Jws.parse(octets))
        .isInstanceOfSatisfying(
            SignedObjectException.class, e -> assertThat(e.fault()).isEqualTo(reason));
  }

  @ParameterizedTest
  @ValueSource(strings = {"=", " ", "\n", "+", "/", "é"})
  void refusesOctetsOutsideBase64url(String bad) {
    String good =
        new String(signer(SignatureAlgorithm.ES256).jws("{\"alg\":\"ES256\"}", new byte[3]), UTF_8);
    for (String text :
        List.of(
            good + bad,
            bad + good,
            good.replaceFirst("\\.", bad + "."),
            good.replace(".", "." + bad))) {
      assertThatThrownBy(() -> Jws.parse(text.getBytes(UTF_8)))
          .isInstanceOf(SignedObjectException.class);
    }
  }

  @Test
  void refusesUnusedBitsThatAreSet() {
    // Two octets are three characters, whose last two bits are unused and must be zero.
    byte[] octets = signer(SignatureAlgorithm.ES256).jws("{\"alg\":\"ES256\"}", new byte[2]);
    String text = new String(octets, US_ASCII);
    String changed = text.replace(".AAA.", ".AAB.");
    assertThat(changed).isNotEqualTo(text);
    assertThatThrownBy(() -> Jws.parse(changed.getBytes(US_ASCII)))
        .hasMessageContaining("canonical");
  }

  @Test
  void refusesKeysOffTheirCurve() {
    byte[] point = signer(SignatureAlgorithm.ES256).jwk().point().clone();
    point[40] ^= 1;
    assertThatThrownBy(() -> new Jwk(SignatureAlgorithm.ES256, point))
        .hasMessageContaining("not a point");
    assertThatThrownBy(() -> new Jwk(SignatureAlgorithm.ES384, point))
        .hasMessageContaining("not a point");
    assertThatThrownBy(() -> new Jwk(SignatureAlgorithm.EDDSA, new byte[32]))
        .hasMessageContaining("point");
    assertThatThrownBy(
            () ->
                Jwk.parse(
                    "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"%s\"}"
                        .formatted(base64(new byte[32]))
                        .getBytes(UTF_8)))
        .hasMessageContaining("not of P-256");
  }

  @Test
  void refusesEd25519KeysOfSmallOrder() {
    for (String weak :
        List.of(
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa")) {
      byte[] point = java.util.HexFormat.of().parseHex(weak);
      assertThatThrownBy(() -> new Jwk(SignatureAlgorithm.EDDSA, point))
          .hasMessageContaining("point");
    }
  }

  @Test
  void installsNoProvider() {
    assertThat(SIGNATURES.description()).contains("ES256 by ").contains("EdDSA by ");
    assertThat(java.security.Security.getProviders())
        .extracting(java.security.Provider::getName)
        .doesNotContain("BC", "AmazonCorrettoCryptoProvider");
  }

  private static String base64(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
