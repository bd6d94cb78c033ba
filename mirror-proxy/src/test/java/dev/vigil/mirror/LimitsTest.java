package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.jose.Signer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a domain bounds, and that whoever meets a bound meets it alone. */
class LimitsTest {
  @TempDir Path folder;

  private static void put(World world, String entry, Signer mote, int seq) {
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", seq)).code().dotted())
        .startsWith("2.");
  }

  private static List<Long> kept(World world, String entry) {
    return world.mirror.archived(entry.substring(4), "temp", -1, 1000).stream()
        .map(ArchivedValue::seq)
        .toList();
  }

  private static int stored(World world) {
    var name = new dev.vigil.directory.state.EndpointName("mote-1", "");
    return world.store.history(name, Slots.VALUE + "temp", -1, 1000).size();
  }

  @Test
  void aClockThatIsPutBackLocksNobodyOut() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    put(world, entry, mote, 2);
    world.clock.forward(Duration.ofHours(-1));
    put(world, entry, mote, 3);
    assertThat(world.registered(mote, "mote-1", 4)).isEqualTo(entry);
  }

  @Test
  void valuesOlderThanTheDomainKeepsAreNeitherShownNorKeptButForTheNewest() {
    World world = new World(folder, TestDomain.nameless().keeping(Duration.ofHours(1), 0).build());
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    for (int seq = 2; seq < 6; seq++) {
      put(world, entry, mote, seq);
      world.clock.forward(Duration.ofMinutes(20));
    }
    // Measured 80, 60, 40 and 20 minutes ago.
    assertThat(kept(world, entry)).containsExactly(3L, 4L, 5L);
    String all = World.line(world.get(entry + "/temp?after=0", ContentFormat.JWS_LIST));
    assertThat(all.split("\",\"")).hasSize(3);
    world.restart();
    put(world, entry, mote, 6);
    assertThat(kept(world, entry)).containsExactly(3L, 4L, 5L, 6L);
    assertThat(stored(world)).as("the first has left the store").isEqualTo(4);
    world.clock.forward(Duration.ofHours(3));
    assertThat(kept(world, entry)).as("the newest stays").containsExactly(6L);
    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("2.05");
    put(world, entry, mote, 7);
    assertThat(stored(world)).isEqualTo(1);
  }

  @Test
  void valuesTogetherTakeNoMoreOctetsThanTheDomainGrants() {
    Signer mote = new Signer();
    int one = World.update(mote, "temp", 2).length;
    Domain some = TestDomain.nameless().keeping(Duration.ZERO, 3L * (one + 40)).build();
    World world = new World(folder, some);
    String entry = world.registered(mote, "mote-1", 1);
    for (int seq = 2; seq < 20; seq++) {
      put(world, entry, mote, seq);
    }
    assertThat(kept(world, entry)).as("the newest and three before").endsWith(18L, 19L).hasSize(4);
    world.restart();
    put(world, entry, mote, 20);
    assertThat(stored(world)).isEqualTo(4);
  }

  @Test
  void anEndpointThatRegistersOverAndOverIsSlowedDownAndItsNeighbourIsNot() {
    World world = new World(folder, TestDomain.nameless().registrationsPerMinute(5).build());
    Signer mote = new Signer();
    Signer neighbour = new Signer();
    for (int seq = 1; seq <= 5; seq++) {
      assertThat(world.register(mote, "mote-1", seq, "").code().dotted()).isEqualTo("2.01");
    }
    Response refused = world.register(mote, "mote-1", 6, "");
    assertThat(refused.code().dotted()).isEqualTo("4.29");
    assertThat(refused.maxAge()).isPositive();
    put(world, world.registered(neighbour, "mote-2", 1), neighbour, 2);
    world.clock.forward(Duration.ofMinutes(1));
    assertThat(world.register(mote, "mote-1", 6, "").code().dotted()).isEqualTo("2.01");
  }

  @Test
  void aSourceWithManyEndpointsHasOneShareAndAnotherSourceItsOwn() {
    World world = new World(folder, TestDomain.nameless().updatesPerMinutePerSource(4).build());
    Signer[] motes = {new Signer(), new Signer(), new Signer()};
    String[] entries = new String[3];
    for (int i = 0; i < 3; i++) {
      entries[i] = world.registered(motes[i], "mote-" + i, 1);
    }
    for (int i = 0; i < 4; i++) {
      put(world, entries[i % 2], motes[i % 2], 2 + i);
    }
    byte[] update = World.update(motes[2], "temp", 9);
    assertThat(world.put(entries[2] + "/temp", update).code().dotted()).isEqualTo("4.29");
    Caller other = World.caller("2001:db8::99", true);
    assertThat(
            world
                .ask(Method.PUT, entries[2] + "/temp", ContentFormat.JOSE, update, other)
                .code()
                .dotted())
        .isEqualTo("2.01");
  }

  @Test
  void aShareThatIsUsedUpGrowsBackOneByOneInTheTimeThatTheRefusalSays() {
    World world = new World(folder, TestDomain.nameless().registrationsPerMinute(2).build());
    Signer mote = new Signer();
    assertThat(world.register(mote, "mote-1", 1, "").code().dotted()).isEqualTo("2.01");
    world.clock.forward(Duration.ofMillis(1));
    assertThat(world.register(mote, "mote-1", 2, "").code().dotted()).isEqualTo("2.01");
    world.clock.forward(Duration.ofMillis(1));
    Response refused = world.register(mote, "mote-1", 3, "");
    assertThat(refused.code().dotted()).as("a millisecond brings none").isEqualTo("4.29");
    assertThat(refused.maxAge()).isEqualTo(30);
    world.clock.forward(Duration.ofSeconds(30));
    assertThat(world.register(mote, "mote-1", 3, "").code().dotted()).isEqualTo("2.01");
    assertThat(world.register(mote, "mote-1", 4, "").code().dotted()).isEqualTo("4.29");
  }

  @Test
  void whatASourceDoesInOneDomainCostsItNothingInAnother() {
    Domain wide =
        TestDomain.nameless()
            .unprovenPerSource(8)
            .namesPerMinute(30)
            .failuresPerMinute(30)
            .updatesPerMinutePerSource(30)
            .build();
    Domain tight =
        TestDomain.named("tight")
            .unprovenPerSource(2)
            .namesPerMinute(2)
            .failuresPerMinute(2)
            .updatesPerMinutePerSource(2)
            .build();
    World world = new World(folder, wide, tight);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    for (int i = 0; i < 8; i++) {
      world.registered(new Signer(), "other-" + i, 1);
      put(world, entry, mote, 2 + i);
      assertThat(plain(world, "waits-" + i, "")).isEqualTo("2.01");
      byte[] forged = World.update(mote, "temp", 100);
      forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
      assertThat(world.put(entry + "/temp", forged).code().dotted()).isEqualTo("4.01");
    }

    Signer guarded = new Signer();
    Response registered = world.register(guarded, "mote-1", 1, ",\"d\":\"tight\"");
    assertThat(registered.code().dotted()).as("names, failures").isEqualTo("2.01");
    String there = World.entry(registered);
    put(world, there, guarded, 2);
    put(world, there, guarded, 3);
    assertThat(world.put(there + "/temp", World.update(guarded, "temp", 4)).code().dotted())
        .as("its own limit holds")
        .isEqualTo("4.29");
    assertThat(plain(world, "waits", "&d=tight")).isEqualTo("2.01");
    assertThat(plain(world, "waits-too", "&d=tight")).isEqualTo("2.01");
    assertThat(plain(world, "waits-in-vain", "&d=tight")).isEqualTo("4.29");
    put(world, entry, mote, 50);
  }

  private static String plain(World world, String ep, String d) {
    byte[] body = World.plain(new Signer());
    return world
        .ask(Method.POST, "/ms?ep=" + ep + d, ContentFormat.MULTIPART, body)
        .code()
        .dotted();
  }

  @Test
  void whoFloodsClaimsAThousandResourcesSendsGiantPacksOrTakesAThousandNamesIsAloneWithIt() {
    World world = new World(folder);
    Signer mote = new Signer();
    Signer quiet = new Signer();
    String quietEntry = world.registered(quiet, "quiet", 1);
    String entry = world.registered(mote, "loud", 1);

    String links =
        IntStream.range(0, 1000).mapToObj(i -> "</r" + i + ">").collect(Collectors.joining(","));
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"loud\",\"seq\":2}"
            .formatted(mote.jwk().json());
    byte[] greedy = mote.jws(header, links.getBytes(UTF_8));
    assertThat(world.ask(Method.POST, "/ms", ContentFormat.JOSE, greedy).code().dotted())
        .startsWith("4.0");

    String pack =
        IntStream.range(0, 300)
            .mapToObj(i -> "{\"n\":\"n" + i + "\",\"v\":" + i + "}")
            .collect(Collectors.joining(",", "[", "]"));
    byte[] giant = World.update(mote, "temp", 3, (pack + " ".repeat(8192)).getBytes(UTF_8));
    assertThat(world.put(entry + "/temp", giant).code().dotted()).isEqualTo("4.13");

    int taken = 0;
    for (int seq = 3; seq < 1003; seq++) {
      Response answer = world.put(entry + "/temp", World.update(mote, "temp", seq));
      taken += answer.code().isSuccess() ? 1 : 0;
    }
    assertThat(taken).isEqualTo(Domain.Limits.DEFAULT.updatesPerMinute());

    Caller squatter = World.caller("2001:db8::bad", true);
    // Few keys, so that it is names that are counted, and fewer registrations than one key may
    // send.
    Signer[] keys = IntStream.range(0, 20).mapToObj(i -> new Signer()).toArray(Signer[]::new);
    int signed = 0;
    int plain = 0;
    for (int i = 0; i < 1000; i++) {
      Signer key = keys[i % keys.length];
      byte[] registration = World.registration(key, "name-" + i, 1, "");
      signed +=
          ok(world.ask(Method.POST, "/ms", ContentFormat.JOSE, registration, squatter)) ? 1 : 0;
      plain +=
          ok(
                  world.ask(
                      Method.POST,
                      "/ms?ep=plain-" + i,
                      ContentFormat.MULTIPART,
                      World.plain(key),
                      squatter))
              ? 1
              : 0;
    }
    assertThat(signed).isEqualTo(Domain.Limits.DEFAULT.namesPerMinute());
    assertThat(plain).isEqualTo(Domain.Limits.DEFAULT.unprovenPerSource());

    put(world, quietEntry, quiet, 2);
    assertThat(world.get(quietEntry + "/temp").code().dotted()).isEqualTo("2.05");
    assertThat(world.mirror.rejections(quietEntry.substring(4))).isEmpty();
    assertThat(world.mirror.rejections(entry.substring(4)))
        .anyMatch(r -> r.reason() == dev.vigil.mirror.wire.Reason.TOO_FAST && r.count() == 400)
        .anyMatch(r -> r.reason() == dev.vigil.mirror.wire.Reason.TOO_LARGE && r.count() == 1);
    Signer late = new Signer();
    put(world, world.registered(late, "late", 1), late, 2);
  }

  private static boolean ok(Response response) {
    return response.code().isSuccess();
  }
}
