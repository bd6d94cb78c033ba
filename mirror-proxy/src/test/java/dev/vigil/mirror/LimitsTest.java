package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits of a domain; a client that exceeds a limit does not affect others. */
class LimitsTest {
  @TempDir Path folder;

  private static void put(MirrorFixture mirror, String entry, TestSigner mote, int seq) {
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", seq)).code().dotted())
        .startsWith("2.");
  }

  private static List<Long> visible(MirrorFixture mirror, String entry) {
    return mirror.queries().archivedValues(entry.substring(4), "temp", -1, 1000).stream()
        .map(ArchivedValue::seq)
        .toList();
  }

  private static int storedCount(MirrorFixture mirror) {
    EndpointName name = new EndpointName("mote-1", "");
    return mirror.store.history(name, StoreSlots.VALUE + "temp", -1, 1000).size();
  }

  @Test
  void aClockThatIsSetBackLocksNobodyOut() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    put(mirror, entry, mote, 2);
    mirror.clock.forward(Duration.ofHours(-1));
    put(mirror, entry, mote, 3);
    assertThat(mirror.registered(mote, "mote-1", 4)).isEqualTo(entry);
  }

  @Test
  void valuesBeyondTheHistoryAgeAreHiddenExceptTheNewest() {
    MirrorFixture mirror =
        new MirrorFixture(
            folder, TestDomain.nameless().limitingHistory(Duration.ofHours(1), 0).build());
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    for (int seq = 2; seq < 6; seq++) {
      put(mirror, entry, mote, seq);
      mirror.clock.forward(Duration.ofMinutes(20));
    }
    // Measured 80, 60, 40 and 20 minutes ago.
    assertThat(visible(mirror, entry)).containsExactly(3L, 4L, 5L);
    String all = MirrorFixture.line(mirror.get(entry + "/temp?after=0", ContentFormat.JWS_LIST));
    assertThat(all.split("\",\"")).hasSize(3);
    mirror.restart();
    put(mirror, entry, mote, 6);
    assertThat(visible(mirror, entry)).containsExactly(3L, 4L, 5L, 6L);
    assertThat(storedCount(mirror)).as("the first value was removed from the store").isEqualTo(4);
    mirror.clock.forward(Duration.ofHours(3));
    assertThat(visible(mirror, entry)).as("the newest stays").containsExactly(6L);
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("2.05");
    put(mirror, entry, mote, 7);
    assertThat(storedCount(mirror)).isEqualTo(1);
  }

  @Test
  void valuesTogetherTakeNoMoreOctetsThanTheDomainAllows() {
    TestSigner mote = new TestSigner();
    int one = MirrorFixture.update(mote, "temp", 2).length;
    Domain some = TestDomain.nameless().limitingHistory(Duration.ZERO, 3L * (one + 40)).build();
    MirrorFixture mirror = new MirrorFixture(folder, some);
    String entry = mirror.registered(mote, "mote-1", 1);
    for (int seq = 2; seq < 20; seq++) {
      put(mirror, entry, mote, seq);
    }
    assertThat(visible(mirror, entry))
        .as("the newest and three earlier ones")
        .endsWith(18L, 19L)
        .hasSize(4);
    mirror.restart();
    put(mirror, entry, mote, 20);
    assertThat(storedCount(mirror)).isEqualTo(4);
  }

  @Test
  void registrationsOfOneEndpointAreRateLimited() {
    MirrorFixture mirror =
        new MirrorFixture(folder, TestDomain.nameless().registrationsPerMinute(5).build());
    TestSigner mote = new TestSigner();
    TestSigner neighbour = new TestSigner();
    for (int seq = 1; seq <= 5; seq++) {
      assertThat(mirror.register(mote, "mote-1", seq, "").code().dotted()).isEqualTo("2.01");
    }
    Response refused = mirror.register(mote, "mote-1", 6, "");
    assertThat(refused.code().dotted()).isEqualTo("4.29");
    assertThat(refused.maxAge()).isPositive();
    put(mirror, mirror.registered(neighbour, "mote-2", 1), neighbour, 2);
    mirror.clock.forward(Duration.ofMinutes(1));
    assertThat(mirror.register(mote, "mote-1", 6, "").code().dotted()).isEqualTo("2.01");
  }

  @Test
  void updatesOfOneSourceAreLimitedOverAllItsEndpoints() {
    MirrorFixture mirror =
        new MirrorFixture(folder, TestDomain.nameless().updatesPerMinutePerSource(4).build());
    TestSigner[] motes = {new TestSigner(), new TestSigner(), new TestSigner()};
    String[] entries = new String[3];
    for (int i = 0; i < 3; i++) {
      entries[i] = mirror.registered(motes[i], "mote-" + i, 1);
    }
    for (int i = 0; i < 4; i++) {
      put(mirror, entries[i % 2], motes[i % 2], 2 + i);
    }
    byte[] update = MirrorFixture.update(motes[2], "temp", 9);
    assertThat(mirror.put(entries[2] + "/temp", update).code().dotted()).isEqualTo("4.29");
    Caller other = MirrorFixture.caller("2001:db8::99", true);
    assertThat(
            mirror
                .ask(Method.PUT, entries[2] + "/temp", ContentFormat.JOSE, update, other)
                .code()
                .dotted())
        .isEqualTo("2.01");
  }

  @Test
  void anExhaustedLimitPermitsOneEventAfterItsMaxAge() {
    MirrorFixture mirror =
        new MirrorFixture(folder, TestDomain.nameless().registrationsPerMinute(2).build());
    TestSigner mote = new TestSigner();
    assertThat(mirror.register(mote, "mote-1", 1, "").code().dotted()).isEqualTo("2.01");
    mirror.clock.forward(Duration.ofMillis(1));
    assertThat(mirror.register(mote, "mote-1", 2, "").code().dotted()).isEqualTo("2.01");
    mirror.clock.forward(Duration.ofMillis(1));
    Response refused = mirror.register(mote, "mote-1", 3, "");
    assertThat(refused.code().dotted()).as("after a millisecond").isEqualTo("4.29");
    assertThat(refused.maxAge()).isEqualTo(30);
    mirror.clock.forward(Duration.ofSeconds(30));
    assertThat(mirror.register(mote, "mote-1", 3, "").code().dotted()).isEqualTo("2.01");
    assertThat(mirror.register(mote, "mote-1", 4, "").code().dotted()).isEqualTo("4.29");
  }

  @Test
  void limitsOfASourceAreSeparateForEachDomain() {
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
    MirrorFixture mirror = new MirrorFixture(folder, wide, tight);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    for (int i = 0; i < 8; i++) {
      mirror.registered(new TestSigner(), "other-" + i, 1);
      put(mirror, entry, mote, 2 + i);
      assertThat(plain(mirror, "plain-" + i, "")).isEqualTo("2.01");
      byte[] forged = MirrorFixture.update(mote, "temp", 100);
      forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
      assertThat(mirror.put(entry + "/temp", forged).code().dotted()).isEqualTo("4.01");
    }

    TestSigner guarded = new TestSigner();
    Response registered = mirror.register(guarded, "mote-1", 1, ",\"d\":\"tight\"");
    assertThat(registered.code().dotted()).as("limits of names and failures").isEqualTo("2.01");
    String there = MirrorFixture.entry(registered);
    put(mirror, there, guarded, 2);
    put(mirror, there, guarded, 3);
    assertThat(
            mirror.put(there + "/temp", MirrorFixture.update(guarded, "temp", 4)).code().dotted())
        .as("the limit of this domain")
        .isEqualTo("4.29");
    assertThat(plain(mirror, "first", "&d=tight")).isEqualTo("2.01");
    assertThat(plain(mirror, "second", "&d=tight")).isEqualTo("2.01");
    assertThat(plain(mirror, "third", "&d=tight")).isEqualTo("4.29");
    put(mirror, entry, mote, 50);
  }

  private static String plain(MirrorFixture mirror, String ep, String d) {
    byte[] body = MirrorFixture.plain(new TestSigner());
    return mirror
        .ask(Method.POST, "/ms?ep=" + ep + d, ContentFormat.MULTIPART, body)
        .code()
        .dotted();
  }

  @Test
  void proofsOfPlainRegistrationsFindNoPlaceInAFullDomain() {
    MirrorFixture mirror = new MirrorFixture(folder, TestDomain.nameless().endpoints(2).build());
    requireTwoProofs(mirror, "5.03", () -> mirror.operations().forgetEndpoint("1", "alice").join());
  }

  @Test
  void proofsOfPlainRegistrationsAreLimitedLikeOtherNewNames() {
    MirrorFixture mirror =
        new MirrorFixture(folder, TestDomain.nameless().namesPerMinute(2).build());
    requireTwoProofs(mirror, "4.29", () -> mirror.clock.forward(Duration.ofMinutes(1)));
  }

  /**
   * @param code of the third proof
   * @param relief after which the third registration, which still waits, is proven
   */
  private static void requireTwoProofs(MirrorFixture mirror, String code, Runnable relief) {
    for (int i = 0; i < 2; i++) {
      TestSigner mote = new TestSigner();
      put(mirror, plainEntry(mirror, mote, "mote-" + i), mote, 1);
    }
    TestSigner third = new TestSigner();
    String entry = plainEntry(mirror, third, "mote-2");
    Response refused = mirror.put(entry + "/temp", MirrorFixture.update(third, "temp", 1));
    assertThat(refused.code().dotted()).isEqualTo(code);
    assertThat(refused.maxAge()).isPositive();
    relief.run();
    put(mirror, entry, third, 1);
  }

  private static String plainEntry(MirrorFixture mirror, TestSigner mote, String ep) {
    return MirrorFixture.entry(
        mirror.ask(
            Method.POST, "/ms?ep=" + ep, ContentFormat.MULTIPART, MirrorFixture.plain(mote)));
  }

  /** The links of resources r{@code from} up to r{@code to - 1}. */
  private static String links(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "</r" + i + ">")
        .collect(Collectors.joining(","));
  }

  private static Response putTo(MirrorFixture mirror, TestSigner mote, int resource, int seq) {
    return mirror.put("/ms/1/r" + resource, MirrorFixture.update(mote, "r" + resource, seq));
  }

  @Test
  void renamedLinksDoNotGiveAnEndpointAnyNumberOfValues() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    for (int i = 0; i < 400; i++) {
      if (i % 50 == 0) {
        String some = links(i, i + 51);
        assertThat(ok(mirror.register(mote, "mote-1", 2 * i + 1, "", some))).isTrue();
      }
      assertThat(putTo(mirror, mote, i, 2 * i + 2).code().dotted()).isEqualTo("2.01");
    }
    Response refused = putTo(mirror, mote, 400, 1000);
    assertThat(refused.code().dotted()).isEqualTo("5.03");
    assertThat(refused.maxAge()).isEqualTo(3600);
    assertThat(putTo(mirror, mote, 399, 1000).code().dotted()).isEqualTo("2.04");
  }

  /** A mirror of one endpoint whose values need three batches to be removed. */
  private MirrorFixture mirrorOfManyValues() {
    MirrorFixture mirror =
        new MirrorFixture(folder, TestDomain.nameless().endpoints(1).resources(1000).build());
    TestSigner mote = new TestSigner();
    assertThat(ok(mirror.register(mote, "mote-1", 1, ",\"lt\":600", links(0, 900)))).isTrue();
    for (int i = 0; i < 900; i++) {
      if (i == 500) {
        mirror.clock.forward(Duration.ofMinutes(1));
      }
      assertThat(putTo(mirror, mote, i, i + 2).code().dotted()).isEqualTo("2.01");
    }
    return mirror;
  }

  private static void requireNothingStored(MirrorFixture mirror) {
    EndpointName name = new EndpointName("mote-1", "");
    for (String slot :
        List.of(StoreSlots.KEY, StoreSlots.VALUE + "r0", StoreSlots.VALUE + "r899")) {
      assertThat(mirror.store.history(name, slot, -1, 1)).as(slot).isEmpty();
    }
  }

  @Test
  void anEndpointWithManyValuesCanBeForgotten() {
    MirrorFixture mirror = mirrorOfManyValues();
    mirror.operations().forgetEndpoint("1", "alice").join();
    assertThat(mirror.queries().endpoints()).isEmpty();
    requireNothingStored(mirror);
  }

  @Test
  void anExpiredEndpointWithManyValuesGivesUpItsName() {
    MirrorFixture mirror = mirrorOfManyValues();
    mirror.clock.forward(Duration.ofMinutes(10));
    for (int i = 2; i <= 4; i++) {
      mirror.register(new TestSigner(), "mote-" + i, 1, ",\"lt\":3600");
    }
    assertThat(mirror.queries().endpoints())
        .extracting(EndpointView::ep)
        .containsExactlyInAnyOrder("mote-2", "mote-3", "mote-4");
    requireNothingStored(mirror);
  }

  @Test
  void floodsAreLimitedWithoutHarmToOtherEndpoints() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    TestSigner quiet = new TestSigner();
    String quietEntry = mirror.registered(quiet, "quiet", 1);
    String entry = mirror.registered(mote, "loud", 1);

    String links = links(0, 1000);
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"loud\",\"seq\":2}"
            .formatted(mote.jwk().json());
    byte[] tooManyLinks = mote.jws(header, links.getBytes(UTF_8));
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, tooManyLinks).code().dotted())
        .startsWith("4.0");

    String pack =
        IntStream.range(0, 300)
            .mapToObj(i -> "{\"n\":\"n" + i + "\",\"v\":" + i + "}")
            .collect(Collectors.joining(",", "[", "]"));
    byte[] oversized =
        MirrorFixture.update(mote, "temp", 3, (pack + " ".repeat(8192)).getBytes(UTF_8));
    assertThat(mirror.put(entry + "/temp", oversized).code().dotted()).isEqualTo("4.13");

    int taken = 0;
    for (int seq = 3; seq < 1003; seq++) {
      Response answer = mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", seq));
      taken += answer.code().isSuccess() ? 1 : 0;
    }
    assertThat(taken).isEqualTo(Domain.Limits.DEFAULT.updatesPerMinute());

    Caller attacker = MirrorFixture.caller("2001:db8::bad", true);
    // Few registrations with each key, so that only the limit of names is exceeded.
    TestSigner[] keys =
        IntStream.range(0, 20).mapToObj(i -> new TestSigner()).toArray(TestSigner[]::new);
    int signed = 0;
    int plain = 0;
    for (int i = 0; i < 1000; i++) {
      TestSigner key = keys[i % keys.length];
      byte[] registration = MirrorFixture.registration(key, "name-" + i, 1, "");
      signed +=
          ok(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, registration, attacker)) ? 1 : 0;
      plain +=
          ok(
                  mirror.ask(
                      Method.POST,
                      "/ms?ep=plain-" + i,
                      ContentFormat.MULTIPART,
                      MirrorFixture.plain(key),
                      attacker))
              ? 1
              : 0;
    }
    assertThat(signed).isEqualTo(Domain.Limits.DEFAULT.namesPerMinute());
    assertThat(plain).isEqualTo(Domain.Limits.DEFAULT.unprovenPerSource());

    put(mirror, quietEntry, quiet, 2);
    assertThat(mirror.get(quietEntry + "/temp").code().dotted()).isEqualTo("2.05");
    assertThat(mirror.queries().refusals(quietEntry.substring(4))).isEmpty();
    assertThat(mirror.queries().refusals(entry.substring(4)))
        .anyMatch(r -> r.reason() == dev.vigil.mirror.refusal.Reason.TOO_FAST && r.count() == 400)
        .anyMatch(r -> r.reason() == dev.vigil.mirror.refusal.Reason.TOO_LARGE && r.count() == 1);
    TestSigner late = new TestSigner();
    put(mirror, mirror.registered(late, "late", 1), late, 2);
  }

  private static boolean ok(Response response) {
    return response.code().isSuccess();
  }
}
