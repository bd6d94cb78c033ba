package dev.vigil.mirror.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.signed.Fault;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignatureAlgorithm;
import dev.vigil.signed.jose.TestSigner;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares jose4j's reader of keys with the strict parser of the fast path. */
class JwkCodecTest {
  private static final String X = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
  private static final String Y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";
  private static final String GOOD =
      "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}".formatted(X, Y);

  @ParameterizedTest
  @EnumSource
  void readsWritesAndThumbprintsAsTheFastPathDoes(SignatureAlgorithm algorithm) {
    for (int i = 0; i < 50; i++) {
      Jwk key = new TestSigner(algorithm).jwk();
      assertThat(JwkCodec.read(key.json())).isEqualTo(key);
      assertThat(JwkCodec.write(key)).isEqualTo(key.json());
      assertThat(JwkCodec.thumbprint(key)).isEqualTo(key.thumbprint());
    }
  }

  /** jose4j ignores a missing comma or colon between members; the key is the same. */
  @ParameterizedTest
  @EnumSource
  void aChangedTextIsNoOtherKeyThanForTheFastPath(SignatureAlgorithm algorithm) {
    Random random = new Random(7517);
    Jwk key = new TestSigner(algorithm).jwk();
    int taken = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] octets = key.json().replace("}", ",\"use\":\"sig\"}").getBytes(UTF_8);
      octets[random.nextInt(octets.length)] = (byte) random.nextInt(32, 127);
      String text = new String(octets, UTF_8);
      Optional<Jwk> strict = unlessRefused(() -> Jwk.parse(octets));
      Optional<Jwk> read = unlessRefused(() -> JwkCodec.read(text));
      taken += strict.isPresent() ? 1 : 0;
      assertThat(strict.isPresent() ? read : Optional.of(read.orElse(key)))
          .as(text)
          .isEqualTo(Optional.of(strict.orElse(key)));
    }
    assertThat(taken).isPositive();
  }

  private static Optional<Jwk> unlessRefused(Supplier<Jwk> reader) {
    try {
      return Optional.of(reader.get());
    } catch (SignedObjectException e) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "{}",
        "{\"kty\":\"EC\"}",
        "{\"kty\":7,\"crv\":\"P-256\"}",
        "{\"kty\":\"EC\",\"crv\":\"Ed25519\",\"x\":\"AAAA\",\"y\":\"AAAA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"P-256\",\"x\":\"AAAA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}",
        "{\"kty\":\"EC\",\"crv\":\"secp256k1\",\"x\":\"AAAA\",\"y\":\"AAAA\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\",\"y\":\"\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AAAA\",\"y\":\"AAAA\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AAAA\"}",
        "{\"kty\":\"RSA\",\"n\":\"AAAA\",\"e\":\"AQAB\"}"
      })
  void refusesWhatTheFastPathRefuses(String text) {
    assertThatThrownBy(() -> Jwk.parse(text.getBytes(UTF_8)))
        .isInstanceOf(SignedObjectException.class);
    assertThatThrownBy(() -> JwkCodec.read(text)).isInstanceOf(SignedObjectException.class);
  }

  @Test
  void refusesAnAlgorithmOfAnotherCurve() {
    assertThatThrownBy(() -> JwkCodec.read(GOOD.replace("{", "{\"alg\":\"ES384\",")))
        .hasMessageContaining("alg");
    assertThat(JwkCodec.read(GOOD.replace("{", "{\"alg\":\"ES256\",")))
        .isEqualTo(Jwk.parse(GOOD.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "k", "p", "oth"})
  void refusesPrivateAndSecretMembersByName(String member) {
    String text = GOOD.replace("{", "{\"" + member + "\":\"c2VjcmV0\",");
    assertThatThrownBy(() -> JwkCodec.read(text))
        .hasMessageNotContaining("c2VjcmV0")
        .isInstanceOfSatisfying(
            SignedObjectException.class,
            e -> assertThat(e.fault()).isEqualTo(Fault.FORBIDDEN_MEMBER));
  }

  @Test
  void readsAKeyOrEveryKeyOfASet() {
    Jwk other = new TestSigner(SignatureAlgorithm.EDDSA).jwk();
    Jwk one = JwkCodec.read(GOOD);
    assertThat(JwkCodec.readAll(GOOD)).containsExactly(one);
    assertThat(JwkCodec.readAll("{\"keys\":[" + GOOD + "," + other.json() + "]}"))
        .containsExactly(one, other);
    assertThat(JwkCodec.readAll("{\"keys\":[]}")).isEmpty();
    for (String wrong : List.of("{\"keys\":[7]}", "{\"keys\":{}}", "{\"keys\":[{}]}")) {
      assertThatThrownBy(() -> JwkCodec.readAll(wrong)).isInstanceOf(SignedObjectException.class);
    }
  }

  /** RFC 8037 appendix A.3. */
  @Test
  void thumbprintsTheExampleOfRfc8037() {
    String text =
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}";
    assertThat(JwkCodec.thumbprint(JwkCodec.read(text)))
        .isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  }
}
