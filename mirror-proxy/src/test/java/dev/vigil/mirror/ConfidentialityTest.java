package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.confidential.AesGcm;
import dev.vigil.mirror.confidential.Hkdf;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.jose.SignatureAlgorithm;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.signed.wire.WireWriter;
import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

/** Encrypted updates (docs/protocol.md section 7) from a mote that derives its own keys. */
class ConfidentialityTest {
  @TempDir Path folder;

  /** The keys that a mote derives from the answer to its registration. */
  private record MoteKeys(byte[] compact, byte[] jwe, int number) {}

  private static MoteKeys registered(MirrorFixture mirror, TestSigner mote, long seq)
      throws Exception {
    LocalKeyPair ephemeral = LocalKeyPair.generate(new SecureRandom());
    byte[] payload =
        MirrorFixture.registration(mote, "mote-1", seq, ",\"epk\":" + ephemeral.jwk().json());
    Response answer =
        mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, payload, ContentFormat.CBOR);
    assertThat(answer.code().dotted()).isEqualTo("2.01");
    JsonNode map = new CBORMapper().readTree(answer.payload());
    byte[] point = Arrays.copyOf(map.get("2").get("-2").binaryValue(), 64);
    System.arraycopy(map.get("2").get("-3").binaryValue(), 0, point, 32, 32);
    byte[] z = ephemeral.agree(new Jwk(SignatureAlgorithm.ES256, point));
    byte[] salt = Jwk.sha256(payload);
    return new MoteKeys(
        Hkdf.hkdf(z, salt, info("air", mote), 16),
        Hkdf.hkdf(z, salt, info("jwe", mote), 16),
        map.get("4").asInt());
  }

  private static byte[] info(String use, TestSigner mote) {
    return ("vigil update " + use + "\0" + mote.jkt()).getBytes(US_ASCII);
  }

  private static byte[] compact(MoteKeys keys, TestSigner mote, long seq) {
    int flags = 0x10 | (keys.number() & 7) << 5;
    byte[] nonce = new WireWriter().u32(0).u64(seq).toOctets();
    byte[] additional = new WireWriter().u8(flags).u64(seq).toOctets();
    byte[] plain = mote.compactPlain(false, "temp", seq, MirrorFixture.SENML);
    byte[] sealed = AesGcm.seal(keys.compact(), nonce, additional, plain);
    return new WireWriter().u8(flags).u16((int) seq & 0xffff).octets(sealed).toOctets();
  }

  private static Response put(MirrorFixture mirror, byte[] octets) {
    return mirror.ask(Method.PUT, "/ms/1/temp", ContentFormat.SIGNED_UPDATE, octets);
  }

  private static MirrorFixture confidential(Path folder) {
    return new MirrorFixture(folder, TestDomain.nameless().confidential().build());
  }

  @Test
  void anEncryptedUpdateIsServedAsTheVerifiableJwsInside() throws Exception {
    MirrorFixture mirror = confidential(folder);
    TestSigner mote = new TestSigner();
    MoteKeys keys = registered(mirror, mote, 100);
    byte[] update = compact(keys, mote, 101);

    assertThat(new String(update, StandardCharsets.ISO_8859_1)).doesNotContain("urn:dev");
    assertThat(put(mirror, update).code().dotted()).isEqualTo("2.01");

    Jws served = Jws.parse(mirror.get("/ms/1/temp").payload());
    assertThat(MirrorFixture.SIGNATURES.verify(mote.jwk(), served)).isTrue();
    assertThat(served.payload()).isEqualTo(MirrorFixture.SENML);
    assertThat(put(mirror, update).code().dotted()).as("retransmission").isEqualTo("2.04");
    mirror.restart();
    assertThat(put(mirror, compact(keys, mote, 102)).code().dotted())
        .as("after a restart")
        .isEqualTo("2.04");
  }

  @Test
  void aPlainUpdateIsRefusedWhereTheDomainRequiresEncryption() throws Exception {
    MirrorFixture mirror = confidential(folder);
    TestSigner mote = new TestSigner();
    assertThat(mirror.register(mote, "mote-1", 1, "").code().dotted())
        .as("registration without epk")
        .isEqualTo("4.03");
    registered(mirror, mote, 2);
    Response open = mirror.put("/ms/1/temp", MirrorFixture.update(mote, "temp", 3));
    assertThat(open.code().dotted()).isEqualTo("4.03");
    assertThat(MirrorFixture.line(open)).contains("encrypted");
  }

  @Test
  void theFormerUpdateKeyStillDecryptsButNoOlderOne() throws Exception {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    MoteKeys first = registered(mirror, mote, 1);
    registered(mirror, mote, 2);
    assertThat(put(mirror, compact(first, mote, 3)).code().dotted()).isEqualTo("2.01");
    registered(mirror, mote, 4);
    assertThat(put(mirror, compact(first, mote, 5)).code().dotted()).isEqualTo("4.01");
  }

  @Test
  void aChangedCiphertextIsRefusedAndChangesNothing() throws Exception {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    MoteKeys keys = registered(mirror, mote, 1);
    byte[] update = compact(keys, mote, 2);
    for (int i = 0; i < update.length; i += 7) {
      byte[] changed = update.clone();
      changed[i] ^= 1;
      assertThat(put(mirror, changed).code().isSuccess()).isFalse();
    }
    assertThat(put(mirror, update).code().dotted()).isEqualTo("2.01");
  }

  @Test
  void aJweIsServedAsTheJwsInside() throws Exception {
    MirrorFixture mirror = confidential(folder);
    TestSigner mote = new TestSigner();
    MoteKeys keys = registered(mirror, mote, 1);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String header =
        base64.encodeToString("{\"alg\":\"dir\",\"enc\":\"A128GCM\"}".getBytes(US_ASCII));
    byte[] nonce = new byte[12];
    byte[] sealed =
        AesGcm.seal(
            keys.jwe(), nonce, header.getBytes(US_ASCII), MirrorFixture.update(mote, "temp", 2));
    String jwe =
        header
            + ".."
            + base64.encodeToString(nonce)
            + "."
            + base64.encodeToString(Arrays.copyOf(sealed, sealed.length - 16))
            + "."
            + base64.encodeToString(Arrays.copyOfRange(sealed, sealed.length - 16, sealed.length));
    assertThat(mirror.put("/ms/1/temp", jwe.getBytes(US_ASCII)).code().dotted()).isEqualTo("2.01");
    assertThat(mirror.get("/ms/1/temp").payload()).startsWith("eyJ".getBytes(US_ASCII));
  }

  @Test
  void aReplacedIdentityKeyLocksNoEndpointOut() throws Exception {
    MirrorFixture mirror = confidential(folder);
    TestSigner mote = new TestSigner();
    MoteKeys lost = registered(mirror, mote, 1);
    byte[] last =
        MirrorFixture.registration(
            mote,
            "mote-1",
            2,
            ",\"epk\":" + LocalKeyPair.generate(new SecureRandom()).jwk().json());
    mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, last);
    assertThat(put(mirror, compact(lost, mote, 3)).code().dotted()).isEqualTo("2.01");
    Files.delete(mirror.identity);
    mirror.restart();

    assertThat(put(mirror, compact(lost, mote, 4)).code().dotted()).isEqualTo("4.01");
    Response repeated =
        mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, last, ContentFormat.CBOR);
    assertThat(repeated.code().dotted()).isEqualTo("2.01");
    assertThat(new CBORMapper().readTree(repeated.payload()).has("2")).isFalse();
    MoteKeys fresh = registered(mirror, mote, 5);
    assertThat(put(mirror, compact(fresh, mote, 6)).code().dotted()).isEqualTo("2.04");
  }

  @Test
  void theStoreHoldsNoKeyInTheClear() throws Exception {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    MoteKeys keys = registered(mirror, mote, 1);
    byte[] body =
        mirror
            .store
            .history(new EndpointName("mote-1", ""), StoreSlots.UPDATE_KEYS, -1, 1)
            .getFirst()
            .body();
    String text = new String(body, StandardCharsets.UTF_8);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    assertThat(text)
        .contains("sealed")
        .doesNotContain(base64.encodeToString(keys.compact()).substring(0, 20))
        .doesNotContain(base64.encodeToString(keys.jwe()).substring(0, 20));
  }

  @Test
  void hkdfAgreesWithRfc5869() {
    // RFC 5869 appendix A.1.
    java.util.HexFormat hex = java.util.HexFormat.of();
    assertThat(
            Hkdf.hkdf(
                hex.parseHex("0b".repeat(22)),
                hex.parseHex("000102030405060708090a0b0c"),
                hex.parseHex("f0f1f2f3f4f5f6f7f8f9"),
                42))
        .isEqualTo(
            hex.parseHex(
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
                    + "34007208d5b887185865"));
  }
}
