package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.link.Link;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.wire.Reason;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What attackers try, one by one (see the table in the README). */
class HostileTest {
  @TempDir Path folder;

  @Test
  void anUpdateReplayedAtAnotherResourceIsRefused() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    Response refused = world.put(entry + "/load", World.update(mote, "temp", 2));
    assertThat(refused.code().dotted()).isEqualTo("4.00");
    assertThat(World.line(refused)).contains("res");
    byte[] compact = mote.compact(false, "temp", 2, -1, World.SENML);
    assertThat(
            world
                .ask(Method.PUT, entry + "/load", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .as("its path is part of what is signed")
        .isEqualTo("4.01");
  }

  @Test
  void anUpdateReplayedAtAnotherEndpointIsRefused() {
    World world = new World(folder);
    Signer mote = new Signer();
    Signer other = new Signer();
    world.registered(mote, "mote-1", 1);
    String entry = world.registered(other, "mote-2", 1);
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 2)).code().dotted())
        .isEqualTo("4.01");
    byte[] compact = mote.compact(false, "temp", 2, -1, World.SENML);
    assertThat(
            world
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .isEqualTo("4.01");
  }

  @Test
  void aWithheldUpdateIsRefusedOnceANewerOneCameAndMarkedWhenItIsOld() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    long measured = world.clock.instant().getEpochSecond();
    byte[] withheld =
        World.update(
            mote,
            "temp",
            2,
            "[{\"n\":\"a\",\"v\":1,\"t\":%d}]".formatted(measured).getBytes(UTF_8));
    world.clock.forward(Duration.ofMinutes(11));
    assertThat(world.put(entry + "/temp", withheld).code().dotted()).isEqualTo("2.01");
    assertThat(world.mirror.endpoints().getFirst().resources().getFirst().marks())
        .contains(Mark.DELAYED);
    world.put(entry + "/temp", World.update(mote, "temp", 4));
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("4.09");
  }

  @Test
  void anUpdateThatBringsItsOwnKeyIsRefused() {
    World world = new World(folder);
    Signer mote = new Signer();
    Signer thief = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    String header =
        "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":\"temp\",\"seq\":2,\"jwk\":%s}"
            .formatted(mote.jkt(), thief.jwk().json());
    Response refused = world.put(entry + "/temp", thief.jws(header, World.SENML));
    assertThat(refused.code().dotted()).isEqualTo("4.00");
    assertThat(World.line(refused)).contains("jwk");
  }

  @Test
  void signedNonsenseIsNotCached() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    Response refused =
        world.put(entry + "/temp", World.update(mote, "temp", 2, "<script>".getBytes(UTF_8)));
    assertThat(refused.code().dotted()).isEqualTo("4.00");
    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    assertThat(world.put(entry + "/elsewhere", World.update(mote, "elsewhere", 2)).code().dotted())
        .as("only what was registered")
        .isEqualTo("4.04");
  }

  @Test
  void signedValuesThatAddUpToNoNumberSpoilNoList() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] pack = "[{\"n\":\"a\",\"bv\":1e308,\"v\":1e308}]".getBytes(UTF_8);
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 2, pack)).code().dotted())
        .isEqualTo("4.00");
    assertThat(world.mirror.endpoints()).hasSize(1);
  }

  @Test
  void updatesOfOneEndpointAreLimited() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    int taken = 0;
    for (int seq = 2; seq < 699; seq++) {
      Response answer = world.put(entry + "/temp", World.update(mote, "temp", seq));
      taken += answer.code().isSuccess() ? 1 : 0;
    }
    assertThat(taken).isEqualTo(600);
    Response last = world.put(entry + "/temp", World.update(mote, "temp", 699));
    assertThat(last.code().dotted()).isEqualTo("4.29");
    assertThat(last.maxAge()).isPositive();
    world.clock.forward(Duration.ofSeconds(1));
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 700)).code().dotted())
        .isEqualTo("2.04");
  }

  @Test
  void whoSendsBadSignaturesProvesItsAddressBeforeAnotherIsCheckedAndOthersAreNotHarmed() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] forged = World.update(mote, "temp", 2);
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    Caller attacker = World.caller("2001:db8::bad", false);
    for (int i = 0; i < 30; i++) {
      assertThat(put(world, entry, forged, attacker)).isEqualTo("4.01");
    }
    put(world, entry, forged, attacker);
    assertThat(world.mirror.rejections())
        .anyMatch(r -> r.reason() == Reason.ADDRESS_UNPROVEN && r.count() == 1)
        .anyMatch(r -> r.reason() == Reason.BAD_SIGNATURE && r.count() == 30);
    assertThat(put(world, entry, forged, World.caller("2001:db8::bad", true)))
        .as("a source that proved its address waits")
        .isEqualTo("4.29");
    assertThat(put(world, entry, World.update(mote, "temp", 2), World.caller("2001:db8::5", false)))
        .isEqualTo("2.01");
  }

  @Test
  void whoInventsASourceForEachBadSignatureHasFewCheckedAndThenAllShowTheirAddresses() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] forged = World.update(mote, "temp", 2);
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    for (int i = 0; i < 4_000; i++) {
      String invented = "2001:db8:%x::1".formatted(i);
      assertThat(put(world, entry, forged, World.caller(invented, false))).isEqualTo("4.01");
    }
    assertThat(world.mirror.rejections())
        .anyMatch(r -> r.reason() == Reason.BAD_SIGNATURE && r.count() == 3_000)
        .anyMatch(r -> r.reason() == Reason.ADDRESS_UNPROVEN && r.count() == 1_000);
    byte[] real = World.update(mote, "temp", 2);
    assertThat(put(world, entry, real, World.caller("2001:db8::5", false))).isEqualTo("4.01");
    assertThat(put(world, entry, real, World.caller("2001:db8::5", true))).isEqualTo("2.01");
  }

  private static String put(World world, String entry, byte[] jws, Caller caller) {
    return world.ask(Method.PUT, entry + "/temp", ContentFormat.JOSE, jws, caller).code().dotted();
  }

  @Test
  void newNamesOfOneSourceAreLimited() {
    World world = new World(folder);
    for (int i = 0; i < 120; i++) {
      world.registered(new Signer(), "mote-" + i, 1);
    }
    assertThat(world.register(new Signer(), "mote-120", 1, "").code().dotted()).isEqualTo("4.29");
  }

  @Test
  void newNamesOfSourcesThatShowedNoAddressAreLimitedTogether() {
    World world = new World(folder);
    Signer mote = new Signer();
    for (int i = 0; i < 120; i++) {
      Signer signer = i == 0 ? mote : new Signer();
      assertThat(register(world, signer, "mote-" + i, 1, World.caller("2001:db8::a:" + i, false)))
          .isEqualTo("2.01");
    }
    Caller stranger = World.caller("2001:db8::b", false);
    assertThat(register(world, new Signer(), "mote-120", 1, stranger)).isEqualTo("4.01");
    assertThat(world.mirror.rejections())
        .anyMatch(r -> r.reason() == Reason.ADDRESS_UNPROVEN && r.count() == 1);
    assertThat(register(world, mote, "mote-0", 2, stranger)).as("no new name").isEqualTo("2.01");
    assertThat(register(world, new Signer(), "mote-120", 1, World.caller("2001:db8::b", true)))
        .as("with Echo")
        .isEqualTo("2.01");
  }

  private static String register(World world, Signer mote, String ep, long seq, Caller caller) {
    byte[] jws = World.registration(mote, ep, seq, "");
    return world.ask(Method.POST, "/ms?ep=" + ep, ContentFormat.JOSE, jws, caller).code().dotted();
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsParsed() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    assertThat(world.put(entry + "/temp", new byte[8193]).code().dotted()).isEqualTo("4.13");
    assertThat(world.ask(Method.POST, "/ms", ContentFormat.JOSE, new byte[16_385]).code().dotted())
        .isEqualTo("4.13");
  }

  @Test
  void badPayloadsGetTheRightCodeAndOneLine() {
    World world = new World(folder);
    String entry = world.registered(new Signer(), "mote-1", 1);
    assertThat(world.put(entry + "/temp", "not a jws".getBytes(UTF_8)).code().dotted())
        .isEqualTo("4.00");
    assertThat(world.put(entry + "/temp", new byte[0]).code().dotted()).isEqualTo("4.00");
    assertThat(
            world.ask(Method.PUT, entry + "/temp", ContentFormat.JSON, new byte[2]).code().dotted())
        .isEqualTo("4.15");
    assertThat(world.put("/ms/nosuchid/temp", "a.b.c".getBytes(UTF_8)).code().dotted())
        .isEqualTo("4.04");
    assertThat(world.ask(Method.DELETE, entry + "/temp", null, new byte[0]).code().dotted())
        .isEqualTo("4.05");
  }

  @Test
  void aClientThatPinnedTheKeyNoticesAMirrorThatChangesAValue() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));
    byte[] served = world.get(entry + "/temp").payload().clone();
    int payload = new String(served, UTF_8).indexOf('.') + 10;
    served[payload] = (byte) (served[payload] == 'A' ? 'B' : 'A');
    assertThat(World.SIGNATURES.verify(mote.jwk(), Jws.parse(served))).isFalse();
  }

  /** Of each ECDSA signature (r, s) anybody can make another: (r, n - s). */
  @Test
  void anotherSignatureOfTheSameReadingIsNoSecondReading() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] update = World.update(mote, "temp", 2);
    Jws jws = Jws.parse(update);
    byte[] twin = jws.signature().clone();
    BigInteger order =
        new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);
    byte[] s = order.subtract(new BigInteger(1, Arrays.copyOfRange(twin, 32, 64))).toByteArray();
    Arrays.fill(twin, 32, 64, (byte) 0);
    int sign = s.length > 32 ? 1 : 0;
    System.arraycopy(s, sign, twin, 64 - (s.length - sign), s.length - sign);
    String signed = new String(update, 0, jws.signedLength(), UTF_8);
    byte[] other =
        (signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(twin))
            .getBytes(UTF_8);
    assertThat(World.SIGNATURES.verify(mote.jwk(), Jws.parse(other))).isTrue();

    assertThat(world.put(entry + "/temp", update).code().dotted()).isEqualTo("2.01");
    assertThat(world.put(entry + "/temp", other).code().dotted()).isEqualTo("4.09");
    assertThat(world.get(entry + "/temp").payload()).isEqualTo(update);
  }

  @Test
  void recordedRegistrationsNeitherUndoAWithdrawalNorReviveWhatRanOut() {
    World world = new World(folder);
    Signer mote = new Signer();
    byte[] first = World.registration(mote, "mote-1", 1, ",\"lt\":60");
    byte[] withdrawal = World.registration(mote, "mote-1", 2, ",\"lt\":0");
    byte[] last = World.registration(mote, "mote-1", 3, ",\"lt\":60");
    for (byte[] one : List.of(first, withdrawal)) {
      assertThat(world.ask(Method.POST, "/ms", ContentFormat.JOSE, one).code().dotted())
          .isEqualTo("2.01");
    }
    assertThat(world.ask(Method.POST, "/ms", ContentFormat.JOSE, first).code().dotted())
        .isEqualTo("4.09");
    assertThat(world.get("/ms/1").code().dotted()).isEqualTo("4.04");

    world.ask(Method.POST, "/ms", ContentFormat.JOSE, last);
    world.clock.forward(Duration.ofMinutes(2));
    world.ask(Method.POST, "/ms", ContentFormat.JOSE, last);
    assertThat(world.get("/ms/1").code().dotted()).isEqualTo("4.04");
    assertThat(world.ask(Method.POST, "/ms", ContentFormat.JOSE, withdrawal).code().dotted())
        .isEqualTo("4.09");
  }

  @Test
  void linksCannotPoseAsThoseOfAnotherEndpointOfTheMirror() {
    Signer mote = new Signer();
    String hostile =
        "</ms/2/temp>,</../ms/2/temp>,</./keys/mirror>,</a>;anchor=\"/ms/2/temp\","
            + "</a/../../../ms/2/b>;anchor=\"/../rd\"";
    for (Link link : Links.published("7", hostile, mote.jkt())) {
      String anchor = link.attribute(Link.ANCHOR).orElse("/ms/7/");
      assertThat(anchor).startsWith("/ms/7/");
      assertThat(link.target()).matches("/ms/7/.*|/keys/" + mote.jkt());
      assertThat(link.target() + anchor).doesNotContain("..");
    }
  }
}
