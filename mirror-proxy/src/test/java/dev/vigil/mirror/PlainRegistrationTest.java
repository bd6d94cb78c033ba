package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registrations without a signature: the first valid update proves the key. */
class PlainRegistrationTest {
  @TempDir Path folder;

  @Test
  void aPlainRegistrationIsNotPublishedUntilItsFirstValidUpdate() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    Response registered =
        mirror.ask(
            Method.POST,
            "/ms?ep=mote-1&wake=60",
            ContentFormat.MULTIPART,
            MirrorFixture.plain(mote));
    assertThat(registered.code().dotted()).isEqualTo("2.01");
    String entry = MirrorFixture.entry(registered);
    assertThat(mirror.store.size()).as("nothing is left behind").isZero();
    assertThat(mirror.get(entry).code().dotted()).isEqualTo("4.04");
    assertThat(mirror.queries().endpoints().getFirst().state()).isEqualTo(TrustState.UNPROVEN);

    byte[] forged = MirrorFixture.update(new TestSigner(), "temp", 1);
    assertThat(mirror.put(entry + "/temp", forged).code().dotted()).isEqualTo("4.01");
    assertThat(mirror.store.size()).isZero();
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("2.01");

    assertThat(mirror.queries().endpoints().getFirst().state()).isEqualTo(TrustState.TRUSTED);
    assertThat(mirror.get(entry + "/temp").code().dotted())
        .as("under the first id")
        .isEqualTo("2.05");
    mirror.restart();
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .as("under the first id after a restart")
        .isEqualTo("2.04");
    Response again =
        mirror.ask(
            Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, MirrorFixture.plain(mote));
    assertThat(again.code().dotted()).as("an unsigned renewal").isEqualTo("4.01");
    Caller dtls =
        new Caller(
            MirrorFixture.caller("::1", true).source(), true, true, new Caller.RawKey(mote.jkt()));
    assertThat(
            mirror
                .ask(
                    Method.POST,
                    "/ms?ep=mote-1",
                    ContentFormat.MULTIPART,
                    MirrorFixture.plain(mote),
                    dtls)
                .code()
                .dotted())
        .as("a renewal over DTLS with that key")
        .isEqualTo("2.01");
  }

  @Test
  void aPlainRegistrationOverDtlsByItsKeyNeedsNoProof() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    Caller anonymous = MirrorFixture.caller("2001:db8::1", true);
    Caller byKey =
        new Caller(anonymous.source(), true, true, new Caller.RawKey(mote.jwk().thumbprint()));
    Caller byOther =
        new Caller(anonymous.source(), true, true, new Caller.RawKey(new TestSigner().jkt()));

    Response first = plainBy(mirror, mote, byKey);
    assertThat(first.location()).containsExactly("ms", "1");
    assertThat(mirror.queries().endpoint("1").orElseThrow().state()).isEqualTo(TrustState.TRUSTED);
    assertThat(plainBy(mirror, mote, byKey).location()).isEqualTo(first.location());
    assertThat(plainBy(mirror, mote, anonymous).code().dotted()).isEqualTo("4.01");
    assertThat(plainBy(mirror, mote, byOther).code().dotted()).isEqualTo("4.01");
    assertThat(mirror.put("/ms/1/temp", MirrorFixture.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("2.01");
  }

  private static Response plainBy(MirrorFixture mirror, TestSigner mote, Caller caller) {
    return mirror.ask(
        Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, MirrorFixture.plain(mote), caller);
  }

  @Test
  void anUnprovenRegistrationExpiresAfterTenMinutes() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    Response registered =
        mirror.ask(
            Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, MirrorFixture.plain(mote));
    String entry = MirrorFixture.entry(registered);
    mirror.clock.forward(Duration.ofMinutes(10));
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("4.04");
    assertThat(mirror.queries().endpoints()).isEmpty();
  }

  @Test
  void unverifiedSourcesLeaveHalfOfTheCapacityToOthers() {
    MirrorFixture mirror = new MirrorFixture(folder);
    for (int i = 0; i < 500; i++) {
      assertThat(plain(mirror, i, MirrorFixture.caller("2001:db8::a:" + i, false)))
          .isEqualTo("2.01");
    }
    assertThat(plain(mirror, 500, MirrorFixture.caller("2001:db8::b", false))).isEqualTo("4.01");
    assertThat(plain(mirror, 500, MirrorFixture.caller("2001:db8::b", true))).isEqualTo("2.01");
  }

  private static String plain(MirrorFixture mirror, int i, Caller caller) {
    byte[] multipart = MirrorFixture.plain(new TestSigner());
    return mirror
        .ask(Method.POST, "/ms?ep=m" + i, ContentFormat.MULTIPART, multipart, caller)
        .code()
        .dotted();
  }

  @Test
  void plainRegistrationsOfOneSourceAreBounded() {
    MirrorFixture mirror = new MirrorFixture(folder);
    for (int i = 0; i < 16; i++) {
      assertThat(
              mirror
                  .ask(
                      Method.POST,
                      "/ms?ep=m" + i,
                      ContentFormat.MULTIPART,
                      MirrorFixture.plain(new TestSigner()))
                  .code()
                  .dotted())
          .isEqualTo("2.01");
    }
    Response refused =
        mirror.ask(
            Method.POST,
            "/ms?ep=m16",
            ContentFormat.MULTIPART,
            MirrorFixture.plain(new TestSigner()));
    assertThat(refused.code().dotted()).isEqualTo("4.29");
    assertThat(refused.maxAge()).isPositive();
    Caller other = MirrorFixture.caller("2001:db8::2", true);
    assertThat(
            mirror
                .ask(
                    Method.POST,
                    "/ms?ep=m16",
                    ContentFormat.MULTIPART,
                    MirrorFixture.plain(new TestSigner()),
                    other)
                .code()
                .dotted())
        .isEqualTo("2.01");
  }

  @Test
  void theFirstOfTwoPlainKeysThatIsProvenGetsTheName() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner attacker = new TestSigner();
    TestSigner mote = new TestSigner();
    mirror.ask(
        Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, MirrorFixture.plain(attacker));
    Response mine =
        mirror.ask(
            Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, MirrorFixture.plain(mote));
    String entry = MirrorFixture.entry(mine);
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("2.01");
    assertThat(mirror.queries().endpoint(entry.substring(4)).orElseThrow().jkt())
        .isEqualTo(mote.jkt());
  }

  @Test
  void manyAddressesOfANetworkDoNotKeepOthersFromRegistering() {
    MirrorFixture mirror = new MirrorFixture(folder);
    for (int i = 0; i < 63; i++) {
      for (int k = 0; k < 16; k++) {
        plain(mirror, 16 * i + k, MirrorFixture.caller("2001:db8:1:1::" + (i + 1), true));
      }
    }
    assertThat(plain(mirror, 2000, MirrorFixture.caller("2001:db8:2::1", true))).isEqualTo("2.01");
    assertThat(mirror.queries().endpoints()).hasSize(1000);
  }
}
