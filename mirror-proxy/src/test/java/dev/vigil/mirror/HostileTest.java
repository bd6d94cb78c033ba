package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.TestSigner;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the mirror, as listed in docs/mirror-proxy-threats.md. */
class HostileTest {
  @TempDir Path folder;

  @Test
  void anUpdateReplayedAtAnotherResourceIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    Response refused = mirror.put(entry + "/load", MirrorFixture.update(mote, "temp", 2));
    assertThat(refused.code().dotted()).isEqualTo("4.00");
    assertThat(MirrorFixture.line(refused)).contains("res");
    byte[] compact = mote.compact(false, "temp", 2, -1, MirrorFixture.SENML);
    assertThat(
            mirror
                .ask(Method.PUT, entry + "/load", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .as("the signature covers the path")
        .isEqualTo("4.01");
  }

  @Test
  void anUpdateReplayedAtAnotherEndpointIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    TestSigner other = new TestSigner();
    mirror.registered(mote, "mote-1", 1);
    String entry = mirror.registered(other, "mote-2", 1);
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .isEqualTo("4.01");
    byte[] compact = mote.compact(false, "temp", 2, -1, MirrorFixture.SENML);
    assertThat(
            mirror
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .isEqualTo("4.01");
  }

  @Test
  void aWithheldUpdateIsMarkedWhenOldAndRefusedAfterANewerOne() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    long measured = mirror.clock.instant().getEpochSecond();
    byte[] withheld =
        MirrorFixture.update(
            mote,
            "temp",
            2,
            "[{\"n\":\"a\",\"v\":1,\"t\":%d}]".formatted(measured).getBytes(UTF_8));
    mirror.clock.forward(Duration.ofMinutes(11));
    assertThat(mirror.put(entry + "/temp", withheld).code().dotted()).isEqualTo("2.01");
    assertThat(mirror.queries().endpoints().getFirst().resources().getFirst().marks())
        .contains(ValueMark.DELAYED);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 4));
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("4.09");
  }

  @Test
  void anUpdateThatBringsItsOwnKeyIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    TestSigner attacker = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    String header =
        "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":\"temp\",\"seq\":2,\"jwk\":%s}"
            .formatted(mote.jkt(), attacker.jwk().json());
    Response refused = mirror.put(entry + "/temp", attacker.jws(header, MirrorFixture.SENML));
    assertThat(refused.code().dotted()).isEqualTo("4.00");
    assertThat(MirrorFixture.line(refused)).contains("jwk");
  }

  @Test
  void aSignedPayloadThatIsNotSenmlIsNotCached() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    Response refused =
        mirror.put(
            entry + "/temp", MirrorFixture.update(mote, "temp", 2, "<script>".getBytes(UTF_8)));
    assertThat(refused.code().dotted()).isEqualTo("4.00");
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    assertThat(
            mirror
                .put(entry + "/elsewhere", MirrorFixture.update(mote, "elsewhere", 2))
                .code()
                .dotted())
        .as("a resource that was not registered")
        .isEqualTo("4.04");
  }

  @Test
  void aSenmlSumThatOverflowsIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] pack = "[{\"n\":\"a\",\"bv\":1e308,\"v\":1e308}]".getBytes(UTF_8);
    assertThat(
            mirror
                .put(entry + "/temp", MirrorFixture.update(mote, "temp", 2, pack))
                .code()
                .dotted())
        .isEqualTo("4.00");
    assertThat(mirror.queries().endpoints()).hasSize(1);
  }

  @Test
  void updatesOfOneEndpointAreRateLimited() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    int taken = 0;
    for (int seq = 2; seq < 699; seq++) {
      Response answer = mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", seq));
      taken += answer.code().isSuccess() ? 1 : 0;
    }
    assertThat(taken).isEqualTo(600);
    Response last = mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 699));
    assertThat(last.code().dotted()).isEqualTo("4.29");
    assertThat(last.maxAge()).isPositive();
    mirror.clock.forward(Duration.ofSeconds(1));
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 700)).code().dotted())
        .isEqualTo("2.04");
  }

  @Test
  void badSignaturesOfOneSourceRequireEchoAndHarmNoOther() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] forged = MirrorFixture.update(mote, "temp", 2);
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    Caller attacker = MirrorFixture.caller("2001:db8::bad", false);
    for (int i = 0; i < 30; i++) {
      assertThat(put(mirror, entry, forged, attacker)).isEqualTo("4.01");
    }
    put(mirror, entry, forged, attacker);
    assertThat(mirror.queries().refusals())
        .anyMatch(r -> r.reason() == Reason.ADDRESS_UNPROVEN && r.count() == 1)
        .anyMatch(r -> r.reason() == Reason.BAD_SIGNATURE && r.count() == 30);
    Caller verified = MirrorFixture.caller("2001:db8::bad", true);
    for (int i = 0; i < 30; i++) {
      assertThat(put(mirror, entry, forged, verified)).isEqualTo("4.01");
    }
    assertThat(put(mirror, entry, forged, verified))
        .as("a verified source has to wait")
        .isEqualTo("4.29");
    assertThat(
            put(
                mirror,
                entry,
                MirrorFixture.update(mote, "temp", 2),
                MirrorFixture.caller("2001:db8::5", false)))
        .isEqualTo("2.01");
  }

  @Test
  void badSignaturesOfForgedSourcesAreLimitedTogether() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] forged = MirrorFixture.update(mote, "temp", 2);
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    for (int i = 0; i < 4_000; i++) {
      String invented = "2001:db8:%x::1".formatted(i);
      assertThat(put(mirror, entry, forged, MirrorFixture.caller(invented, false)))
          .isEqualTo("4.01");
    }
    assertThat(mirror.queries().refusals())
        .anyMatch(r -> r.reason() == Reason.BAD_SIGNATURE && r.count() == 3_000)
        .anyMatch(r -> r.reason() == Reason.ADDRESS_UNPROVEN && r.count() == 1_000);
    byte[] real = MirrorFixture.update(mote, "temp", 2);
    assertThat(put(mirror, entry, real, MirrorFixture.caller("2001:db8::5", false)))
        .isEqualTo("4.01");
    assertThat(put(mirror, entry, real, MirrorFixture.caller("2001:db8::5", true)))
        .isEqualTo("2.01");
  }

  private static String put(MirrorFixture mirror, String entry, byte[] jws, Caller caller) {
    return mirror.ask(Method.PUT, entry + "/temp", ContentFormat.JOSE, jws, caller).code().dotted();
  }

  @Test
  void newNamesOfOneSourceAreRateLimited() {
    MirrorFixture mirror = new MirrorFixture(folder);
    for (int i = 0; i < 120; i++) {
      mirror.registered(new TestSigner(), "mote-" + i, 1);
    }
    assertThat(mirror.register(new TestSigner(), "mote-120", 1, "").code().dotted())
        .isEqualTo("4.29");
  }

  @Test
  void newNamesOfUnverifiedSourcesAreLimitedTogether() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    for (int i = 0; i < 120; i++) {
      TestSigner signer = i == 0 ? mote : new TestSigner();
      assertThat(
              register(
                  mirror, signer, "mote-" + i, 1, MirrorFixture.caller("2001:db8::a:" + i, false)))
          .isEqualTo("2.01");
    }
    Caller unverified = MirrorFixture.caller("2001:db8::b", false);
    assertThat(register(mirror, new TestSigner(), "mote-120", 1, unverified)).isEqualTo("4.01");
    assertThat(mirror.queries().refusals())
        .anyMatch(r -> r.reason() == Reason.ADDRESS_UNPROVEN && r.count() == 1);
    assertThat(register(mirror, mote, "mote-0", 2, unverified)).as("renewal").isEqualTo("2.01");
    assertThat(
            register(
                mirror, new TestSigner(), "mote-120", 1, MirrorFixture.caller("2001:db8::b", true)))
        .as("with Echo")
        .isEqualTo("2.01");
  }

  private static String register(
      MirrorFixture mirror, TestSigner mote, String ep, long seq, Caller caller) {
    byte[] jws = MirrorFixture.registration(mote, ep, seq, "");
    return mirror.ask(Method.POST, "/ms?ep=" + ep, ContentFormat.JOSE, jws, caller).code().dotted();
  }

  @Test
  void oversizedPayloadsAreRefusedBeforeTheyAreParsed() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    assertThat(mirror.put(entry + "/temp", new byte[8193]).code().dotted()).isEqualTo("4.13");
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, new byte[16_385]).code().dotted())
        .isEqualTo("4.13");
  }

  @Test
  void badPayloadsAreAnsweredWithTheirCode() {
    MirrorFixture mirror = new MirrorFixture(folder);
    String entry = mirror.registered(new TestSigner(), "mote-1", 1);
    assertThat(mirror.put(entry + "/temp", "not a jws".getBytes(UTF_8)).code().dotted())
        .isEqualTo("4.00");
    assertThat(mirror.put(entry + "/temp", new byte[0]).code().dotted()).isEqualTo("4.00");
    assertThat(
            mirror
                .ask(Method.PUT, entry + "/temp", ContentFormat.JSON, new byte[2])
                .code()
                .dotted())
        .isEqualTo("4.15");
    assertThat(mirror.put("/ms/nosuchid/temp", "a.b.c".getBytes(UTF_8)).code().dotted())
        .isEqualTo("4.04");
    assertThat(mirror.ask(Method.DELETE, entry + "/temp", null, new byte[0]).code().dotted())
        .isEqualTo("4.05");
  }

  @Test
  void aClientThatPinnedTheKeyNoticesAChangedValue() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    byte[] served = mirror.get(entry + "/temp").payload().clone();
    int payload = new String(served, UTF_8).indexOf('.') + 10;
    served[payload] = (byte) (served[payload] == 'A' ? 'B' : 'A');
    assertThat(MirrorFixture.SIGNATURES.verify(mote.jwk(), Jws.parse(served))).isFalse();
  }

  /** From an ECDSA signature (r, s) anyone can compute a second valid one: (r, n - s). */
  @Test
  void aSecondValidSignatureOfAReadingIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] update = MirrorFixture.update(mote, "temp", 2);
    Jws jws = Jws.parse(update);
    byte[] otherSignature = jws.signature().clone();
    BigInteger order =
        new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);
    byte[] s =
        order.subtract(new BigInteger(1, Arrays.copyOfRange(otherSignature, 32, 64))).toByteArray();
    Arrays.fill(otherSignature, 32, 64, (byte) 0);
    int sign = s.length > 32 ? 1 : 0;
    System.arraycopy(s, sign, otherSignature, 64 - (s.length - sign), s.length - sign);
    String signed = new String(update, 0, jws.signedLength(), UTF_8);
    byte[] other =
        (signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(otherSignature))
            .getBytes(UTF_8);
    assertThat(MirrorFixture.SIGNATURES.verify(mote.jwk(), Jws.parse(other))).isTrue();

    assertThat(mirror.put(entry + "/temp", update).code().dotted()).isEqualTo("2.01");
    assertThat(mirror.put(entry + "/temp", other).code().dotted()).isEqualTo("4.09");
    assertThat(mirror.get(entry + "/temp").payload()).isEqualTo(update);
  }

  @Test
  void replayedRegistrationsReviveNoWithdrawnOrExpiredEndpoint() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    byte[] first = MirrorFixture.registration(mote, "mote-1", 1, ",\"lt\":60");
    byte[] withdrawal = MirrorFixture.registration(mote, "mote-1", 2, ",\"lt\":0");
    byte[] last = MirrorFixture.registration(mote, "mote-1", 3, ",\"lt\":60");
    for (byte[] one : List.of(first, withdrawal)) {
      assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, one).code().dotted())
          .isEqualTo("2.01");
    }
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, first).code().dotted())
        .isEqualTo("4.09");
    assertThat(mirror.get("/ms/1").code().dotted()).isEqualTo("4.04");

    mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, last);
    mirror.clock.forward(Duration.ofMinutes(2));
    mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, last);
    assertThat(mirror.get("/ms/1").code().dotted()).isEqualTo("4.04");
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, withdrawal).code().dotted())
        .isEqualTo("4.09");
  }

  @Test
  void linksCannotPoseAsThoseOfAnotherEndpoint() {
    TestSigner mote = new TestSigner();
    String hostile =
        "</ms/2/temp>,</../ms/2/temp>,</./keys/mirror>,</a>;anchor=\"/ms/2/temp\","
            + "</a/../../../ms/2/b>;anchor=\"/../rd\"";
    for (Link link : EndpointLinks.published("7", hostile, mote.jkt(), uri -> false)) {
      String anchor = link.attribute(Link.ANCHOR).orElse("/ms/7/");
      assertThat(anchor).startsWith("/ms/7/");
      assertThat(link.target()).matches("/ms/7/.*|/keys/" + mote.jkt());
      assertThat(link.target() + anchor).doesNotContain("..");
    }
  }

  @Test
  void linksThatNameTheGatewayAreNotShown() {
    String hostile =
        "<coap://other/x>;anchor=\"coap://gateway/ms/2/temp\",<coap://gateway/ms/2/temp>,"
            + "<//gateway/ms/2/temp>,<ms/2/temp>,<?x>,<coap://other/y>;anchor=\"../2/temp\","
            + "<coap://other/z>";
    List<Link> shown =
        EndpointLinks.published("7", hostile, "JKT", uri -> uri.startsWith("coap://gateway/"));
    assertThat(shown).extracting(Link::target).containsExactly("coap://other/z");
  }
}
