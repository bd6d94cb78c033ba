package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.jose.Algorithm;
import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.senml.Pack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of an endpoint behind the mirror: register, update, read. */
class MirrorTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aSignedReadingIsServedAsItWasSigned(Algorithm algorithm) {
    World world = new World(folder);
    Signer mote = new Signer(algorithm);
    String entry = world.registered(mote, "mote-1", 1);
    byte[] update = World.update(mote, "temp", 2);

    assertThat(world.put(entry + "/temp", update).code().dotted()).isEqualTo("2.01");

    Response read = world.get(entry + "/temp");
    assertThat(read.code().dotted()).isEqualTo("2.05");
    assertThat(read.format()).isEqualTo(ContentFormat.JOSE);
    assertThat(read.payload()).isEqualTo(update);
    assertThat(read.tag()).isEqualTo(new EntityTag(2, ContentFormat.JOSE));
    assertThat(read.maxAge()).isEqualTo(60);
    assertThat(World.SIGNATURES.verify(mote.jwk(), Jws.parse(read.payload()))).isTrue();
    Response key = world.get("/keys/" + mote.jkt());
    assertThat(World.line(key)).isEqualTo(mote.jwk().json());
  }

  @Test
  void theVerifiedPayloadIsServedInEachFormat() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));

    assertThat(world.get(entry + "/temp", ContentFormat.SENML_JSON).payload())
        .isEqualTo(World.SENML);
    byte[] cbor = world.get(entry + "/temp", ContentFormat.SENML_CBOR).payload();
    assertThat(Pack.readCbor(cbor)).isEqualTo(Pack.readJson(World.SENML));
    assertThat(World.line(world.get(entry + "/temp", ContentFormat.TEXT))).isEqualTo("21.5");
    assertThat(world.get(entry + "/temp", ContentFormat.COSE_SIGN1).code().dotted())
        .isEqualTo("4.06");
  }

  @Test
  void aCompactUpdateIsServedAsTheStandardJwsItStandsFor() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 70_000);
    byte[] compact = mote.compact(false, "temp", 70_001, -1, World.SENML);

    assertThat(
            world
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .isEqualTo("2.01");

    Jws served = Jws.parse(world.get(entry + "/temp").payload());
    assertThat(World.SIGNATURES.verify(mote.jwk(), served)).isTrue();
    assertThat(served.header().seq()).isEqualTo(70_001);
    assertThat(compact.length).isEqualTo(World.SENML.length + 67);
    // The acknowledgement is lost and the same octets come again: no change, the same answer.
    assertThat(
            world
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, compact)
                .code()
                .dotted())
        .isEqualTo("2.04");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aCoseUpdateIsServedAsCoseAndNotAsJws(Algorithm algorithm) {
    World world = new World(folder);
    Signer mote = new Signer(algorithm);
    String entry = world.registered(mote, "mote-1", 1);
    byte[] senml = Pack.readJson(World.SENML).writeCbor();
    byte[] cose = mote.cose("temp", 2, senml);

    assertThat(
            world.ask(Method.PUT, entry + "/temp", ContentFormat.COSE_SIGN1, cose).code().dotted())
        .isEqualTo("2.01");

    assertThat(world.get(entry + "/temp").payload()).isEqualTo(cose);
    assertThat(world.get(entry + "/temp", ContentFormat.JOSE).code().dotted()).isEqualTo("4.06");
    assertThat(World.line(world.get(entry + "/temp", ContentFormat.TEXT))).isEqualTo("21.5");
    assertThat(World.SIGNATURES.verify(mote.jwk(), CoseSign1.parse(cose))).isTrue();
  }

  @Test
  void aReplayIsAnsweredWithHAndChangesNothing() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] old = World.update(mote, "temp", 2);
    byte[] fresh = World.update(mote, "temp", 3);
    world.put(entry + "/temp", old);
    world.put(entry + "/temp", fresh);

    Response replay = world.put(entry + "/temp", old);

    assertThat(replay.code().dotted()).isEqualTo("4.09");
    assertThat(World.line(replay)).isEqualTo("3");
    assertThat(world.get(entry + "/temp").payload()).isEqualTo(fresh);
    assertThat(world.mirror.rejections())
        .extracting(RejectionCount::reason, RejectionCount::count)
        .contains(
            org.assertj.core.groups.Tuple.tuple(dev.vigil.mirror.wire.Reason.NUMBER_USED, 1L));
  }

  @Test
  void theSameOctetsAgainAreAcknowledgedAgainWithoutAChange() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] update = World.update(mote, "temp", 2);
    world.put(entry + "/temp", update);
    long position = world.mirror.position();

    assertThat(world.put(entry + "/temp", update).code().dotted()).isEqualTo("2.04");
    assertThat(world.mirror.position()).isEqualTo(position);
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 2)).code().dotted())
        .as("another signature under the same number")
        .isEqualTo("4.09");
  }

  @Test
  void aNumberBeyondTheWindowIsRefusedAndTheWindowsEndIsTaken() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);

    Response beyond = world.put(entry + "/temp", World.update(mote, "temp", 1 + 4097));
    assertThat(beyond.code().dotted()).isEqualTo("4.09");
    assertThat(World.line(beyond)).isEqualTo("1");
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 1 + 4096)).code().dotted())
        .isEqualTo("2.01");
  }

  @Test
  void noReplayIsAcceptedAfterARestart() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] update = World.update(mote, "temp", 2);
    byte[] last = World.update(mote, "temp", 3);
    world.put(entry + "/temp", update);
    world.put(entry + "/temp", last);

    world.restart();

    assertThat(world.get(entry + "/temp").payload()).isEqualTo(last);
    assertThat(world.put(entry + "/temp", update).code().dotted()).isEqualTo("4.09");
    assertThat(world.put(entry + "/temp", last).code().dotted()).isEqualTo("2.04");
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 4)).code().dotted())
        .isEqualTo("2.04");
  }

  @Test
  void aWrongSignatureIsRefusedAndTheNumberStaysFree() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] forged = World.update(mote, "temp", 2);
    forged[forged.length - 5] = (byte) (forged[forged.length - 5] == 'A' ? 'B' : 'A');

    Response refused = world.put(entry + "/temp", forged);

    assertThat(refused.code().dotted()).isEqualTo("4.01");
    assertThat(World.line(refused)).isEqualTo("the signature does not hold");
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 2)).code().dotted())
        .isEqualTo("2.01");
  }

  @Test
  void nothingIsAcknowledgedThatCouldNotBeStored() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    byte[] update = World.update(mote, "temp", 2);
    world.store.full(true);

    Response refused = world.put(entry + "/temp", update);
    assertThat(refused.code().dotted()).isEqualTo("5.03");
    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("4.04");

    world.store.full(false);
    assertThat(world.put(entry + "/temp", update).code().dotted()).isEqualTo("2.01");
  }

  @Test
  void anOverdueValueIsServedAsStaleUnlessTheDomainForbidsIt() {
    World world =
        new World(
            folder,
            TestDomain.nameless().build(),
            TestDomain.named("strict").servingNothingStale().build());
    Signer mote = new Signer();
    Signer other = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    Response registered = world.register(other, "mote-2", 1, ",\"d\":\"strict\",\"wake\":60");
    String strictEntry = World.entry(registered);
    world.put(entry + "/temp", World.update(mote, "temp", 2));
    world.put(strictEntry + "/temp", World.update(other, "temp", 2));

    world.clock.forward(Duration.ofSeconds(61));

    assertThat(world.get(entry + "/temp").maxAge()).isZero();
    assertThat(world.get(strictEntry + "/temp").code().dotted()).isEqualTo("5.03");
    EndpointView view = world.mirror.endpoint(entry.substring(4)).orElseThrow();
    assertThat(view.freshness()).isEqualTo(Freshness.LATE);
    assertThat(view.resources().getFirst().marks()).containsExactly(Mark.STALE);
  }

  @Test
  void onTimeLateAndMissingAreJudgedByTheEndpointsOwnWakeInterval() {
    Domain slow = Domain.of("", TrustPolicy.FIRST_USE);
    World world = new World(folder, slow);
    Signer minutely = new Signer();
    Signer hourly = new Signer();
    Signer silent = new Signer();
    String[] ids = {
      world.registered(minutely, "mote-1", 1).substring(4),
      world.register(hourly, "mote-2", 1, ",\"wake\":3600").location().getLast(),
      world.register(silent, "mote-3", 1, "").location().getLast(),
    };
    world.put("/ms/" + ids[0] + "/temp", World.update(minutely, "temp", 2));
    world.put("/ms/" + ids[1] + "/temp", World.update(hourly, "temp", 2));

    assertThat(slow.defaultWake()).as("of one that does not tell").isEqualTo(Duration.ofMinutes(5));
    for (Object[] one :
        new Object[][] {
          {60, Freshness.ON_TIME, Freshness.ON_TIME, Freshness.ON_TIME},
          {61, Freshness.LATE, Freshness.ON_TIME, Freshness.ON_TIME},
          {180, Freshness.LATE, Freshness.ON_TIME, Freshness.ON_TIME},
          {181, Freshness.MISSING, Freshness.ON_TIME, Freshness.ON_TIME},
          {300, Freshness.MISSING, Freshness.ON_TIME, Freshness.ON_TIME},
          {301, Freshness.MISSING, Freshness.ON_TIME, Freshness.MISSING},
          {3601, Freshness.MISSING, Freshness.LATE, Freshness.MISSING},
        }) {
      Instant then = World.START.plusSeconds((int) one[0]);
      world.clock.forward(Duration.between(world.clock.instant(), then));
      for (int i = 0; i < ids.length; i++) {
        assertThat(world.mirror.endpoint(ids[i]).orElseThrow().freshness())
            .as("%s after %s s", ids[i], one[0])
            .isEqualTo(one[i + 1]);
      }
    }
    world.put("/ms/" + ids[0] + "/temp", World.update(minutely, "temp", 3));
    assertThat(world.mirror.endpoint(ids[0]).orElseThrow().freshness())
        .isEqualTo(Freshness.ON_TIME);
  }

  @Test
  void watchersHearOfEachAcceptedUpdateAndOfNoOther() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));
    Response read = world.get(entry + "/temp");
    List<Long> seen = new ArrayList<>();
    world.topics.watch(
        Objects.requireNonNull(read.topic()),
        () -> seen.add(Jws.parse(world.get(entry + "/temp").payload()).header().seq()));

    world.put(entry + "/temp", World.update(mote, "temp", 4));
    world.put(entry + "/temp", World.update(mote, "temp", 3));
    world.put(entry + "/load", World.update(mote, "load", 5));
    world.put(entry + "/temp", World.update(mote, "temp", 6));

    assertThat(seen).containsExactly(4L, 6L);
  }

  @Test
  void historyIsReadByNumberInEachFormat() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    for (int seq = 2; seq <= 6; seq++) {
      world.put(entry + "/temp", World.update(mote, "temp", seq));
    }

    String list = World.line(world.get(entry + "/temp?after=3&limit=2", ContentFormat.JWS_LIST));
    assertThat(list.split(",")).hasSize(2);
    assertThat(list).startsWith("[\"eyJ");
    byte[] senml = world.get(entry + "/temp?after=2", ContentFormat.SENML_JSON).payload();
    assertThat(Pack.readJson(senml).items()).hasSize(4);
    assertThat(Pack.readJson(senml).items().getFirst().time())
        .isEqualTo((double) world.clock.instant().getEpochSecond());
  }

  @Test
  void linksOfAnEndpointAreThoseOfTheMirrorWithTheKeyBehindEach() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);

    String links = World.line(world.get(entry));

    assertThat(links)
        .contains("<" + entry + "/temp>;rt=\"temperature\"")
        .contains(
            "</keys/%s>;rel=\"describedby\";ct=65101;anchor=\"%s/temp\""
                .formatted(mote.jkt(), entry));
  }

  @Test
  void theIdentityKeyIsMadeOnceAndOnlyItsOwnerMayReadIt() throws Exception {
    World world = new World(folder);
    String identity = world.mirror.identity();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(world.identity)))
        .isEqualTo("rw-------");
    world.restart();
    assertThat(world.mirror.identity()).isEqualTo(identity);
    assertThat(World.line(world.get("/keys/mirror"))).contains("\"crv\":\"P-256\"");
    assertThat(world.get("/keys/" + identity).code().dotted()).isEqualTo("2.05");
  }

  @Test
  void timesAheadAreRefusedAndOldOnesMarked() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    long now = world.clock.instant().getEpochSecond();

    assertThat(
            world
                .put(entry + "/temp", World.update(mote, "temp", 2, at(now + 301)))
                .code()
                .dotted())
        .isEqualTo("4.03");
    world.put(entry + "/temp", World.update(mote, "temp", 3, at(now - 601)));
    ResourceView late =
        world.mirror.endpoint(entry.substring(4)).orElseThrow().resources().getFirst();
    assertThat(late.marks()).containsExactly(Mark.DELAYED);
    world.put(entry + "/temp", World.update(mote, "temp", 4, at(-5000)));
    ResourceView relative =
        world.mirror.endpoint(entry.substring(4)).orElseThrow().resources().getFirst();
    assertThat(relative.marks()).as("relative times are never late").isEmpty();
  }

  private static byte[] at(long time) {
    return "[{\"n\":\"a\",\"v\":1,\"t\":%d}]".formatted(time).getBytes(UTF_8);
  }
}
