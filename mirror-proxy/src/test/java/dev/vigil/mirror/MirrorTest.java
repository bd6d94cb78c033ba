package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.read.ResourceView;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalCount;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.SignatureAlgorithm;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.signed.senml.SenmlPack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of an endpoint behind the mirror: register, update, read. */
class MirrorTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(SignatureAlgorithm.class)
  void aSignedReadingIsServedAsItWasSigned(SignatureAlgorithm algorithm) {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner(algorithm);
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] update = MirrorFixture.update(mote, "temp", 2);

    assertThat(mirror.put(entry + "/temp", update).code().dotted()).isEqualTo("2.01");

    Response read = mirror.get(entry + "/temp");
    assertThat(read.code().dotted()).isEqualTo("2.05");
    assertThat(read.format()).isEqualTo(ContentFormat.JOSE);
    assertThat(read.payload()).isEqualTo(update);
    assertThat(read.tag()).isEqualTo(new EntityTag(2, ContentFormat.JOSE));
    assertThat(read.maxAge()).isEqualTo(60);
    assertThat(MirrorFixture.SIGNATURES.verify(mote.jwk(), Jws.parse(read.payload()))).isTrue();
    Response key = mirror.get("/keys/" + mote.jkt());
    assertThat(MirrorFixture.line(key)).isEqualTo(mote.jwk().json());
  }

  @Test
  void theVerifiedPayloadIsServedInEachFormat() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));

    assertThat(mirror.get(entry + "/temp", ContentFormat.SENML_JSON).payload())
        .isEqualTo(MirrorFixture.SENML);
    byte[] cbor = mirror.get(entry + "/temp", ContentFormat.SENML_CBOR).payload();
    assertThat(SenmlPack.readCbor(cbor)).isEqualTo(SenmlPack.readJson(MirrorFixture.SENML));
    assertThat(MirrorFixture.line(mirror.get(entry + "/temp", ContentFormat.TEXT)))
        .isEqualTo("21.5");
    assertThat(mirror.get(entry + "/temp", ContentFormat.COSE_SIGN1).code().dotted())
        .isEqualTo("4.06");
  }

  @Test
  void aCompactUpdateIsServedAsTheStandardJwsItStandsFor() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 70_000);
    byte[] compact = mote.compact(false, "temp", 70_001, -1, MirrorFixture.SENML);

    assertThat(
            mirror
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .isEqualTo("2.01");

    Jws served = Jws.parse(mirror.get(entry + "/temp").payload());
    assertThat(MirrorFixture.SIGNATURES.verify(mote.jwk(), served)).isTrue();
    assertThat(served.header().seq()).isEqualTo(70_001);
    assertThat(compact.length).isEqualTo(MirrorFixture.SENML.length + 67);
    // A retransmission after a lost acknowledgement.
    assertThat(
            mirror
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .isEqualTo("2.04");
  }

  @ParameterizedTest
  @EnumSource(SignatureAlgorithm.class)
  void aCoseUpdateIsServedAsCoseAndNotAsJws(SignatureAlgorithm algorithm) {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner(algorithm);
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] senml = SenmlPack.readJson(MirrorFixture.SENML).writeCbor();
    byte[] cose = mote.cose("temp", 2, senml);

    assertThat(
            mirror.ask(Method.PUT, entry + "/temp", ContentFormat.COSE_SIGN1, cose).code().dotted())
        .isEqualTo("2.01");

    assertThat(mirror.get(entry + "/temp").payload()).isEqualTo(cose);
    assertThat(mirror.get(entry + "/temp", ContentFormat.JOSE).code().dotted()).isEqualTo("4.06");
    assertThat(MirrorFixture.line(mirror.get(entry + "/temp", ContentFormat.TEXT)))
        .isEqualTo("21.5");
    assertThat(MirrorFixture.SIGNATURES.verify(mote.jwk(), CoseSign1.parse(cose))).isTrue();
  }

  @Test
  void aReplayIsAnsweredWithHAndChangesNothing() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] old = MirrorFixture.update(mote, "temp", 2);
    byte[] fresh = MirrorFixture.update(mote, "temp", 3);
    mirror.put(entry + "/temp", old);
    mirror.put(entry + "/temp", fresh);

    Response replay = mirror.put(entry + "/temp", old);

    assertThat(replay.code().dotted()).isEqualTo("4.09");
    assertThat(MirrorFixture.line(replay)).isEqualTo("3");
    assertThat(mirror.get(entry + "/temp").payload()).isEqualTo(fresh);
    assertThat(mirror.queries().refusals())
        .extracting(RefusalCount::reason, RefusalCount::count)
        .contains(Tuple.tuple(Reason.NUMBER_USED, 1L));
  }

  @Test
  void aRetransmissionIsAcknowledgedWithoutAChange() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] update = MirrorFixture.update(mote, "temp", 2);
    mirror.put(entry + "/temp", update);
    long position = mirror.queries().position();

    assertThat(mirror.put(entry + "/temp", update).code().dotted()).isEqualTo("2.04");
    assertThat(mirror.queries().position()).isEqualTo(position);
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .as("another signature under the same number")
        .isEqualTo("4.09");
  }

  @Test
  void aNumberIsAcceptedUpToTheEndOfTheWindow() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);

    Response beyond = mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 1 + 4097));
    assertThat(beyond.code().dotted()).isEqualTo("4.09");
    assertThat(MirrorFixture.line(beyond)).isEqualTo("1");
    assertThat(
            mirror
                .put(entry + "/temp", MirrorFixture.update(mote, "temp", 1 + 4096))
                .code()
                .dotted())
        .isEqualTo("2.01");
  }

  @Test
  void noReplayIsAcceptedAfterARestart() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] update = MirrorFixture.update(mote, "temp", 2);
    byte[] last = MirrorFixture.update(mote, "temp", 3);
    mirror.put(entry + "/temp", update);
    mirror.put(entry + "/temp", last);

    mirror.restart();

    assertThat(mirror.get(entry + "/temp").payload()).isEqualTo(last);
    assertThat(mirror.put(entry + "/temp", update).code().dotted()).isEqualTo("4.09");
    assertThat(mirror.put(entry + "/temp", last).code().dotted()).isEqualTo("2.04");
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 4)).code().dotted())
        .isEqualTo("2.04");
  }

  @Test
  void aWrongSignatureIsRefusedAndTheNumberStaysFree() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] forged = MirrorFixture.update(mote, "temp", 2);
    forged[forged.length - 5] = (byte) (forged[forged.length - 5] == 'A' ? 'B' : 'A');

    Response refused = mirror.put(entry + "/temp", forged);

    assertThat(refused.code().dotted()).isEqualTo("4.01");
    assertThat(MirrorFixture.line(refused)).isEqualTo("the signature is invalid");
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .isEqualTo("2.01");
  }

  @Test
  void anUpdateThatCannotBeStoredIsNotAcknowledged() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] update = MirrorFixture.update(mote, "temp", 2);
    mirror.store.full(true);

    Response refused = mirror.put(entry + "/temp", update);
    assertThat(refused.code().dotted()).isEqualTo("5.03");
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("4.04");

    mirror.store.full(false);
    assertThat(mirror.put(entry + "/temp", update).code().dotted()).isEqualTo("2.01");
  }

  @Test
  void observersAreNotifiedOfEachAcceptedUpdateOnly() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    Response read = mirror.get(entry + "/temp");
    List<Long> seen = new ArrayList<>();
    mirror.topics.watch(
        Objects.requireNonNull(read.topic()),
        () -> seen.add(Jws.parse(mirror.get(entry + "/temp").payload()).header().seq()));

    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 4));
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3));
    mirror.put(entry + "/load", MirrorFixture.update(mote, "load", 5));
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 6));

    assertThat(seen).containsExactly(4L, 6L);
  }

  @Test
  void historyIsReadByNumberInEachFormat() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    for (int seq = 2; seq <= 6; seq++) {
      mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", seq));
    }

    String list =
        MirrorFixture.line(mirror.get(entry + "/temp?after=3&limit=2", ContentFormat.JWS_LIST));
    assertThat(list.split(",")).hasSize(2);
    assertThat(list).startsWith("[\"eyJ");
    byte[] senml = mirror.get(entry + "/temp?after=2", ContentFormat.SENML_JSON).payload();
    assertThat(SenmlPack.readJson(senml).records()).hasSize(4);
    assertThat(SenmlPack.readJson(senml).records().getFirst().time())
        .isEqualTo((double) mirror.clock.instant().getEpochSecond());
  }

  @Test
  void publishedLinksLeadToTheMirrorAndToTheKey() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);

    String links = MirrorFixture.line(mirror.get(entry));

    assertThat(links)
        .contains("<" + entry + "/temp>;rt=\"temperature\"")
        .contains(
            "</keys/%s>;rel=\"describedby\";ct=65101;anchor=\"%s/temp\""
                .formatted(mote.jkt(), entry));
  }

  @Test
  void theIdentityKeyIsCreatedOnceAndReadableByItsOwnerOnly() throws Exception {
    MirrorFixture mirror = new MirrorFixture(folder);
    String identity = mirror.proxy().identity();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mirror.identity)))
        .isEqualTo("rw-------");
    mirror.restart();
    assertThat(mirror.proxy().identity()).isEqualTo(identity);
    assertThat(MirrorFixture.line(mirror.get("/keys/mirror"))).contains("\"crv\":\"P-256\"");
    assertThat(mirror.get("/keys/" + identity).code().dotted()).isEqualTo("2.05");
  }

  @Test
  void measurementsOfTheFutureAreRefusedAndOldOnesMarked() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    long now = mirror.clock.instant().getEpochSecond();

    assertThat(
            mirror
                .put(entry + "/temp", MirrorFixture.update(mote, "temp", 2, at(now + 301)))
                .code()
                .dotted())
        .isEqualTo("4.03");
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3, at(now - 601)));
    ResourceView late =
        mirror.queries().endpoint(entry.substring(4)).orElseThrow().resources().getFirst();
    assertThat(late.marks()).containsExactly(ValueMark.DELAYED);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 4, at(-5000)));
    ResourceView relative =
        mirror.queries().endpoint(entry.substring(4)).orElseThrow().resources().getFirst();
    assertThat(relative.marks()).as("relative times are never delayed").isEmpty();
  }

  private static byte[] at(long time) {
    return "[{\"n\":\"a\",\"v\":1,\"t\":%d}]".formatted(time).getBytes(UTF_8);
  }
}
