package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.mirror.confidential.Gcm;
import dev.vigil.mirror.confidential.Kdf;
import dev.vigil.mirror.jose.Algorithm;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

/** Encrypted updates (section 7 of the protocol), by a mote that derives its keys itself. */
class ConfidentialityTest {
  @TempDir Path folder;

  /** What a mote has after an answered registration. */
  private record Air(byte[] compact, byte[] jwe, int number) {}

  private static Air agreed(World world, Signer mote, long seq) throws Exception {
    OwnKey ephemeral = OwnKey.generate(new SecureRandom());
    byte[] payload = World.registration(mote, "mote-1", seq, ",\"epk\":" + ephemeral.jwk().json());
    Response answer =
        world.ask(Method.POST, "/ms", ContentFormat.JOSE, payload, ContentFormat.CBOR);
    assertThat(answer.code().dotted()).isEqualTo("2.01");
    JsonNode map = new CBORMapper().readTree(answer.payload());
    byte[] point = Arrays.copyOf(map.get("2").get("-2").binaryValue(), 64);
    System.arraycopy(map.get("2").get("-3").binaryValue(), 0, point, 32, 32);
    byte[] z = ephemeral.agree(new Jwk(Algorithm.ES256, point));
    byte[] salt = Jwk.sha256(payload);
    return new Air(
        Kdf.hkdf(z, salt, info("air", mote), 16),
        Kdf.hkdf(z, salt, info("jwe", mote), 16),
        map.get("4").asInt());
  }

  private static byte[] info(String use, Signer mote) {
    return ("vigil update " + use + "\0" + mote.jkt()).getBytes(US_ASCII);
  }

  private static byte[] compact(Air air, Signer mote, long seq) {
    int flags = 0x10 | (air.number() & 7) << 5;
    byte[] nonce = new WireWriter().u32(0).u64(seq).toOctets();
    byte[] additional = new WireWriter().u8(flags).u64(seq).toOctets();
    byte[] plain = mote.compactPlain(false, "temp", seq, World.SENML);
    byte[] sealed = Gcm.seal(air.compact(), nonce, additional, plain);
    return new WireWriter().u8(flags).u16((int) seq & 0xffff).octets(sealed).toOctets();
  }

  private static Response put(World world, byte[] octets) {
    return world.ask(Method.PUT, "/ms/1/temp", ContentFormat.SIGNED_UPDATE, octets);
  }

  private static World confidential(Path folder) {
    return new World(folder, TestDomain.nameless().confidential().build());
  }

  @Test
  void anEncryptedUpdateIsServedAsTheVerifiableJwsInside() throws Exception {
    World world = confidential(folder);
    Signer mote = new Signer();
    Air air = agreed(world, mote, 100);
    byte[] update = compact(air, mote, 101);

    assertThat(new String(update, StandardCharsets.ISO_8859_1)).doesNotContain("urn:dev");
    assertThat(put(world, update).code().dotted()).isEqualTo("2.01");

    Jws served = Jws.parse(world.get("/ms/1/temp").payload());
    assertThat(World.SIGNATURES.verify(mote.jwk(), served)).isTrue();
    assertThat(served.payload()).isEqualTo(World.SENML);
    assertThat(put(world, update).code().dotted()).as("the same octets again").isEqualTo("2.04");
    world.restart();
    assertThat(put(world, compact(air, mote, 102)).code().dotted())
        .as("after a restart")
        .isEqualTo("2.04");
  }

  @Test
  void whatIsNotEncryptedIsRefusedWhereTheDomainWantsIt() throws Exception {
    World world = confidential(folder);
    Signer mote = new Signer();
    assertThat(world.register(mote, "mote-1", 1, "").code().dotted())
        .as("no epk")
        .isEqualTo("4.03");
    agreed(world, mote, 2);
    Response open = world.put("/ms/1/temp", World.update(mote, "temp", 3));
    assertThat(open.code().dotted()).isEqualTo("4.03");
    assertThat(World.line(open)).contains("encrypted");
  }

  @Test
  void theKeyBeforeStillServesAMoteThatLostTheAnswerAndTheOneBeforeThatNoMore() throws Exception {
    World world = new World(folder);
    Signer mote = new Signer();
    Air first = agreed(world, mote, 1);
    agreed(world, mote, 2);
    assertThat(put(world, compact(first, mote, 3)).code().dotted()).isEqualTo("2.01");
    agreed(world, mote, 4);
    assertThat(put(world, compact(first, mote, 5)).code().dotted()).isEqualTo("4.01");
  }

  @Test
  void aChangedCiphertextIsRefusedAndChangesNothing() throws Exception {
    World world = new World(folder);
    Signer mote = new Signer();
    Air air = agreed(world, mote, 1);
    byte[] update = compact(air, mote, 2);
    for (int i = 0; i < update.length; i += 7) {
      byte[] changed = update.clone();
      changed[i] ^= 1;
      assertThat(put(world, changed).code().isSuccess()).isFalse();
    }
    assertThat(put(world, update).code().dotted()).isEqualTo("2.01");
  }

  @Test
  void aJweCarriesTheJws() throws Exception {
    World world = confidential(folder);
    Signer mote = new Signer();
    Air air = agreed(world, mote, 1);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String header =
        base64.encodeToString("{\"alg\":\"dir\",\"enc\":\"A128GCM\"}".getBytes(US_ASCII));
    byte[] nonce = new byte[12];
    byte[] sealed =
        Gcm.seal(air.jwe(), nonce, header.getBytes(US_ASCII), World.update(mote, "temp", 2));
    String jwe =
        header
            + ".."
            + base64.encodeToString(nonce)
            + "."
            + base64.encodeToString(Arrays.copyOf(sealed, sealed.length - 16))
            + "."
            + base64.encodeToString(Arrays.copyOfRange(sealed, sealed.length - 16, sealed.length));
    assertThat(world.put("/ms/1/temp", jwe.getBytes(US_ASCII)).code().dotted()).isEqualTo("2.01");
    assertThat(world.get("/ms/1/temp").payload()).startsWith("eyJ".getBytes(US_ASCII));
  }

  @Test
  void theStoreHoldsNoKeyInTheClear() throws Exception {
    World world = new World(folder);
    Signer mote = new Signer();
    Air air = agreed(world, mote, 1);
    byte[] body =
        world.store.history(new EndpointName("mote-1", ""), Slots.AIR, -1, 1).getFirst().body();
    String text = new String(body, StandardCharsets.UTF_8);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    assertThat(text)
        .contains("sealed")
        .doesNotContain(base64.encodeToString(air.compact()).substring(0, 20))
        .doesNotContain(base64.encodeToString(air.jwe()).substring(0, 20));
  }

  @Test
  void theMirrorsCodeAgreesWithRfc5869() {
    // Appendix A.1.
    java.util.HexFormat hex = java.util.HexFormat.of();
    assertThat(
            Kdf.hkdf(
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
