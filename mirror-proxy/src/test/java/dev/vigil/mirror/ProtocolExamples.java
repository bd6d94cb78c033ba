package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.confidential.AesGcm;
import dev.vigil.mirror.confidential.Hkdf;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.jose.Jwk;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * The conversations of docs/protocol.md with a real mirror, whose keys, clock and randomness are
 * fixed. Each message is built here from the text of the document, handed to the mirror, and kept
 * under its name.
 */
final class ProtocolExamples {
  private static final byte[] LINKS =
      "</temp>;rt=\"temperature\",</led>;rt=\"led\"".getBytes(UTF_8);
  private static final byte[] SENML =
      "[{\"n\":\"urn:dev:ow:10e2073a01080063\",\"u\":\"Cel\",\"v\":21.5}]".getBytes(UTF_8);
  private static final int SIGNATURE = 64;

  private final ExampleSigner mote = new ExampleSigner("mote");
  private final ExampleSigner second = new ExampleSigner("new key");
  private final ExampleSigner ephemeral = new ExampleSigner("epk");
  private final ExampleSigner commander = new ExampleSigner("commander");
  private final ExampleSigner identity = new ExampleSigner("mirror");
  private final Map<String, String> made = new LinkedHashMap<>();
  private final MirrorFixture fixture;
  private byte[] airKey = {};
  private byte[] jweKey = {};

  /** Octets that are equal in every run: SHA-256 of a counter. */
  private static final class Repeating extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private int count;

    @Override
    public void nextBytes(byte[] octets) {
      for (int at = 0; at < octets.length; at += 32) {
        byte[] block = Jwk.sha256(ByteBuffer.allocate(Integer.BYTES).putInt(count++).array());
        System.arraycopy(block, 0, octets, at, Math.min(32, octets.length - at));
      }
    }
  }

  ProtocolExamples(Path folder) throws Exception {
    Path path = folder.resolve(MirrorFixture.IDENTITY);
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(path, identity.privateJwk());
    fixture =
        new MirrorFixture(
            folder,
            new Repeating(),
            TestDomain.nameless().commandedBy(commander.jwk().json()).build());
  }

  /** Every example by name, in the order of the conversation. */
  Map<String, String> all() throws Exception {
    keys();
    register();
    update();
    command();
    encrypt();
    history();
    rotateAndWithdraw();
    registerPlain();
    return made;
  }

  private void keys() {
    made.put("key-mote", mote.privateJwk());
    made.put("key-new", second.privateJwk());
    made.put("key-epk", ephemeral.privateJwk());
    made.put("key-commander", commander.privateJwk());
    made.put("key-mirror", identity.privateJwk());
    made.put("jkt-mote", mote.jkt());
    Response served = fixture.get("/keys/mirror");
    assertThat(MirrorFixture.line(served)).isEqualTo(identity.jwk().json());
  }

  private void register() throws Exception {
    String header = registrationHeader(mote, 1, ",\"wake\":60");
    made.put("signed-registration-header", header);
    String jws = mote.jws(header, LINKS);
    made.put("signed-registration", jws);

    Response created = post(ContentFormat.JOSE, text(jws), ContentFormat.CBOR);
    requireCode(created, "2.01");
    assertThat(created.location()).containsExactly("ms", "1");
    made.put("answer-map", hex(created.payload()));

    Response signed = post(ContentFormat.JOSE, text(jws), ContentFormat.COSE_SIGN1);
    requireCode(signed, "2.01");
    made.put("answer-cose", hex(answer(signed.payload(), text(jws), created.payload())));
  }

  /** The answer with a reproducible signature; the mirror's own signature is also checked. */
  private byte[] answer(byte[] octets, byte[] request, byte[] map) throws Exception {
    JsonNode parts = new CBORMapper().readTree(octets);
    byte[] header = parts.get(0).binaryValue();
    assertThat(parts.get(2).binaryValue()).isEqualTo(map);
    byte[] structure = CoseStructure.of(header, Jwk.sha256(request), map);
    assertThat(CoseStructure.verify(identity.jwk(), structure, parts.get(3).binaryValue()))
        .isTrue();
    made.put("answer-sig-structure", hex(structure));
    byte[] repeatable = octets.clone();
    System.arraycopy(identity.sign(structure), 0, repeatable, octets.length - SIGNATURE, SIGNATURE);
    return repeatable;
  }

  private void update() {
    String header = updateHeader("temp", 2, "");
    made.put("update-header", header);
    made.put("update-payload", new String(SENML, UTF_8));
    String jws = mote.jws(header, SENML);
    made.put("update-jws", jws);
    requireCode(put("temp", ContentFormat.JOSE, text(jws)), "2.01");

    byte[] compact = compact(0x00, "temp", 3, SENML, "");
    made.put("update-compact", hex(compact));
    requireCode(put("temp", ContentFormat.SIGNED_UPDATE, compact), "2.04");
    requireCode(put("temp", ContentFormat.SIGNED_UPDATE, compact), "2.04");
    Response served = fixture.get("/ms/1/temp");
    made.put("update-compact-served", MirrorFixture.line(served));
    assertThat(MirrorFixture.line(served)).isEqualTo(mote.jws(updateHeader("temp", 3, ""), SENML));
    made.put("etag", hex(Objects.requireNonNull(served.tag()).octets()));

    Response conflict = put("temp", ContentFormat.JOSE, text(jws));
    requireCode(conflict, "4.09");
    made.put("conflict", MirrorFixture.line(conflict));

    byte[] cbor = senmlCbor();
    made.put("senml-cbor", hex(cbor));
    String cborHeader = updateHeader("temp", 4, "").replace("senml+json", "senml+cbor");
    byte[] compactCbor = compact(0x04, cborHeader, 4, cbor);
    made.put("update-compact-cbor", hex(compactCbor));
    requireCode(put("temp", ContentFormat.SIGNED_UPDATE, compactCbor), "2.04");

    byte[] cose = cose(5, cbor);
    made.put("update-cose", hex(cose));
    requireCode(put("temp", ContentFormat.COSE_SIGN1, cose), "2.04");
    assertThat(fixture.get("/ms/1/temp", ContentFormat.COSE_SIGN1).payload()).isEqualTo(cose);
  }

  private byte[] cose(long seq, byte[] payload) {
    byte[] header =
        new CborWriter()
            .map(5)
            .integer(1)
            .integer(-7)
            .integer(3)
            .integer(112)
            .integer(4)
            .octets(mote.jwk().thumbprintOctets())
            .text("res")
            .text("temp")
            .text("seq")
            .integer(seq)
            .toOctets();
    byte[] structure = CoseStructure.of(header, new byte[0], payload);
    made.put("update-cose-sig-structure", hex(structure));
    return new CborWriter()
        .tag(18)
        .array(4)
        .octets(header)
        .map(0)
        .octets(payload)
        .octets(mote.sign(structure))
        .toOctets();
  }

  private void command() {
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"ep\":\"mote-1\",\"res\":\"led\",\"seq\":1,\"exp\":%d}"
            .formatted(commander.jkt(), MirrorFixture.START.getEpochSecond() + 3600);
    made.put("command-header", header);
    String payload = "[{\"n\":\"led\",\"v\":1}]";
    made.put("command-payload", payload);
    String jws = commander.jws(header, payload.getBytes(UTF_8));
    made.put("command", jws);
    requireCode(put("led", ContentFormat.JOSE, text(jws)), "2.04");

    made.put("pending", MirrorFixture.line(fixture.get("/ms/1?pending")));
    Response fetched = fixture.get("/ms/1/led?command=1");
    assertThat(MirrorFixture.line(fetched)).isEqualTo(jws);
    made.put("commands", MirrorFixture.line(fixture.get("/ms/1?commands")));

    byte[] acknowledging = compact(0x08, "temp", 6, SENML, ",\"ack\":1");
    made.put("update-compact-ack", hex(acknowledging));
    requireCode(put("temp", ContentFormat.SIGNED_UPDATE, acknowledging), "2.04");
    assertThat(fixture.get("/ms/1?pending").payload()).isEmpty();
  }

  private void encrypt() {
    String header = registrationHeader(mote, 7, ",\"epk\":" + ephemeral.jwk().json());
    made.put("registration-epk-header", header);
    String jws = mote.jws(header, LINKS);
    made.put("registration-epk", jws);
    Response created = post(ContentFormat.JOSE, text(jws), ContentFormat.CBOR);
    requireCode(created, "2.01");
    made.put("answer-map-epk", hex(created.payload()));
    JsonNode map = new CBORMapper().readTree(created.payload());
    agree(map.get("2"), text(jws));
    int number = map.get("4").asInt();

    int flags = 0x10 | (number & 7) << 5;
    byte[] plain = inner(updateHeader("temp", 8, ""), SENML);
    ByteBuffer nonce = ByteBuffer.allocate(12).putInt(0).putLong(8);
    ByteBuffer additional = ByteBuffer.allocate(9).put((byte) flags).putLong(8);
    byte[] sealed = AesGcm.seal(airKey, nonce.array(), additional.array(), plain);
    made.put("encrypted-nonce", hex(nonce.array()));
    made.put("encrypted-additional", hex(additional.array()));
    made.put("encrypted-plaintext", hex(plain));
    byte[] update = join(new byte[] {(byte) flags, 0, 8}, sealed);
    made.put("update-encrypted", hex(update));
    requireCode(put("temp", ContentFormat.SIGNED_UPDATE, update), "2.04");

    String jwe = jwe(mote.jws(updateHeader("temp", 9, ""), SENML));
    made.put("update-jwe", jwe);
    requireCode(put("temp", ContentFormat.JOSE, text(jwe)), "2.04");
  }

  private void agree(JsonNode mirrorKey, byte[] registration) {
    byte[] shared =
        ephemeral.agree(mirrorKey.get("-2").binaryValue(), mirrorKey.get("-3").binaryValue());
    byte[] salt = Jwk.sha256(registration);
    airKey = Hkdf.hkdf(shared, salt, text("vigil update air\0" + mote.jkt()), 16);
    jweKey = Hkdf.hkdf(shared, salt, text("vigil update jwe\0" + mote.jkt()), 16);
    made.put("shared-z", hex(shared));
    made.put("shared-salt", hex(salt));
    made.put("key-air", hex(airKey));
    made.put("key-jwe", hex(jweKey));
  }

  private String jwe(String inside) {
    String header = ExampleSigner.base64url(text("{\"alg\":\"dir\",\"enc\":\"A128GCM\"}"));
    byte[] nonce = Arrays.copyOf(Jwk.sha256(text("vigil example nonce")), 12);
    byte[] sealed = AesGcm.seal(jweKey, nonce, text(header), text(inside));
    int length = sealed.length - AesGcm.TAG_LENGTH;
    return header
        + ".."
        + ExampleSigner.base64url(nonce)
        + "."
        + ExampleSigner.base64url(Arrays.copyOf(sealed, length))
        + "."
        + ExampleSigner.base64url(Arrays.copyOfRange(sealed, length, sealed.length));
  }

  private void history() {
    Response page = fixture.get("/ms/1/temp?after=1&limit=2", ContentFormat.JWS_LIST);
    requireCode(page, "2.05");
    made.put("history", MirrorFixture.line(page));
    made.put("history-etag", hex(Objects.requireNonNull(page.tag()).octets()));
  }

  private void rotateAndWithdraw() {
    String inner = second.jws(registrationHeader(second, 10, ""), LINKS);
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-rotate\",\"cty\":\"jose\",\"kid\":\"%s\",\"seq\":10}"
            .formatted(mote.jkt());
    made.put("rotation-header", header);
    made.put("rotation-inner", inner);
    String rotation = mote.jws(header, text(inner));
    made.put("rotation", rotation);
    Response rotated = post(ContentFormat.JOSE, text(rotation));
    requireCode(rotated, "2.01");
    assertThat(rotated.location()).containsExactly("ms", "1");

    String last = registrationHeader(second, 11, ",\"lt\":0");
    made.put("withdrawal-header", last);
    String withdrawal = second.jws(last, new byte[0]);
    made.put("withdrawal", withdrawal);
    requireCode(post(ContentFormat.JOSE, text(withdrawal)), "2.01");
    requireCode(fixture.get("/ms/1"), "4.04");
  }

  private void registerPlain() {
    ExampleSigner other = new ExampleSigner("plain");
    made.put("key-plain", other.privateJwk());
    byte[] plain =
        new CborWriter()
            .array(4)
            .integer(40)
            .octets(LINKS)
            .integer(65101)
            .octets(text(other.jwk().json()))
            .toOctets();
    made.put("plain-registration", hex(plain));
    Response created =
        fixture.ask(Method.POST, "/ms?ep=mote-2&wake=60", ContentFormat.MULTIPART, plain);
    requireCode(created, "2.01");
    String entry = "/" + String.join("/", created.location());
    made.put("plain-location", entry);
    String header =
        "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":\"temp\",\"seq\":1}"
            .formatted(other.jkt());
    requireCode(fixture.put(entry + "/temp", text(other.jws(header, SENML))), "2.01");
  }

  private static String registrationHeader(ExampleSigner key, long seq, String more) {
    return "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"mote-1\",\"seq\":%d%s}"
        .formatted(key.jwk().json(), seq, more);
  }

  private String updateHeader(String res, long seq, String more) {
    return "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":\"%s\",\"seq\":%d%s}"
        .formatted(mote.jkt(), res, seq, more);
  }

  private byte[] compact(int flags, String res, long seq, byte[] payload, String ack) {
    return compact(flags, updateHeader(res, seq, ack), seq, payload);
  }

  /** {@code flags | seq(2) | [ack(2)] | payload | signature}. */
  private byte[] compact(int flags, String header, long seq, byte[] payload) {
    byte[] start = {(byte) flags, (byte) (seq >>> 8), (byte) seq};
    byte[] ack = (flags & 0x08) == 0 ? new byte[0] : new byte[] {0, 1};
    return join(start, ack, inner(header, payload));
  }

  /** {@code payload | signature}, signed as the JWS of that header. */
  private byte[] inner(String header, byte[] payload) {
    String signed = ExampleSigner.base64url(text(header)) + "." + ExampleSigner.base64url(payload);
    return join(payload, mote.sign(text(signed)));
  }

  /** {@code [{0: name, 1: "Cel", 2: 21.5}]}, the value as half-precision float. */
  private static byte[] senmlCbor() {
    return new CborWriter()
        .array(1)
        .map(3)
        .integer(0)
        .text("urn:dev:ow:10e2073a01080063")
        .integer(1)
        .text("Cel")
        .integer(2)
        .raw(HexFormat.of().parseHex("f94d60"))
        .toOctets();
  }

  private Response post(ContentFormat format, byte[] payload, ContentFormat... accept) {
    return fixture.ask(Method.POST, "/ms?ep=mote-1", format, payload, accept);
  }

  private Response put(String res, ContentFormat format, byte[] payload) {
    return fixture.ask(Method.PUT, "/ms/1/" + res, format, payload);
  }

  private static void requireCode(Response response, String code) {
    assertThat(response.code().dotted()).as(MirrorFixture.line(response)).isEqualTo(code);
  }

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  private static String hex(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
