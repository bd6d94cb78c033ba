package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.state.RestoreMargin;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sequence numbers after a restoration (docs/protocol.md section 5.1). */
class RestoreTest {
  private static final long JUMP = RestoreMargin.LEAST_JUMP;

  private final TestSigner commander = new TestSigner();
  private final TestSigner mote = new TestSigner();
  private final MirrorFixture mirror;

  RestoreTest(@TempDir Path folder) {
    mirror =
        new MirrorFixture(
            folder,
            TestDomain.nameless().commandedBy(commander.jwk().json()).build(),
            Domain.of("careful", TrustPolicy.APPROVE));
  }

  /** The store is in the state of the backup; nothing sent after the backup has arrived here. */
  private int restore() {
    return restore(Duration.ZERO);
  }

  private int restore(Duration elapsed) {
    int raised = RestoreMargin.apply(mirror.store, mirror.clock.instant(), elapsed, "restored");
    mirror.restart();
    return raised;
  }

  private static String code(Response response) {
    return response.code().dotted();
  }

  private byte[] command(long seq) {
    return MirrorFixture.command(commander, "mote-1", seq, "");
  }

  @Test
  void messagesAcceptedSinceTheBackupAreRefused() {
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    assertThat(restore()).isEqualTo(1);
    for (long seq = 3; seq < 8; seq++) {
      assertThat(code(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", seq))))
          .isEqualTo("4.09");
    }
    byte[] compact = mote.compact(false, "temp", 9, -1, MirrorFixture.SENML);
    assertThat(code(mirror.ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, compact)))
        .isEqualTo("4.01");
    assertThat(code(mirror.register(mote, "mote-1", 10, ""))).isEqualTo("4.09");
    assertThat(code(mirror.register(mote, "mote-1", JUMP, ""))).isEqualTo("4.09");
    assertThat(MirrorFixture.line(mirror.get(entry + "/temp", ContentFormat.TEXT)))
        .isEqualTo("21.5");
  }

  @Test
  void theEndpointContinuesAboveTheReportedNumber() {
    String entry = mirror.registered(mote, "mote-1", 1);
    restore();
    Response reported = mirror.register(mote, "mote-1", 5, "");
    long high = Long.parseLong(MirrorFixture.line(reported));
    assertThat(high).isEqualTo(1 + JUMP);
    assertThat(mirror.registered(mote, "mote-1", high + 1)).isEqualTo(entry);
    byte[] update = MirrorFixture.update(mote, "temp", high + 2);
    assertThat(code(mirror.put(entry + "/temp", update))).isEqualTo("2.01");
    mirror.restart();
    assertThat(code(mirror.put(entry + "/temp", update))).isEqualTo("2.04");
    assertThat(code(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", high + 3))))
        .isEqualTo("2.04");
  }

  @Test
  void namesThatTheBackupDoesNotKnowCountFromTheFloor() {
    restore();
    assertThat(code(mirror.register(mote, "mote-1", 1, ""))).isEqualTo("4.09");
    Response plain =
        mirror.ask(
            Method.POST, "/ms?ep=mote-2", ContentFormat.MULTIPART, MirrorFixture.plain(mote));
    String unproven = MirrorFixture.entry(plain);
    assertThat(code(mirror.put(unproven + "/temp", MirrorFixture.update(mote, "temp", 1))))
        .isEqualTo("4.09");
    assertThat(code(mirror.put(unproven + "/temp", MirrorFixture.update(mote, "temp", JUMP + 1))))
        .isEqualTo("2.01");
  }

  @Test
  void aKeyThatWaitedAtTheBackupCountsFromTheFloor() {
    Response waits =
        mirror.ask(
            Method.POST,
            "/ms?ep=mote-1&d=careful",
            ContentFormat.JOSE,
            MirrorFixture.registration(mote, "mote-1", 3, ",\"d\":\"careful\""));
    String entry = MirrorFixture.entry(waits);
    restore();
    mirror
        .operations()
        .approve(mote.jkt(), entry.substring(4), List.of("careful"), "operator")
        .join();
    assertThat(code(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 4))))
        .isEqualTo("4.09");
    assertThat(code(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", JUMP + 1))))
        .isEqualTo("2.01");
  }

  @Test
  void commandsSinceTheBackupAreRefused() {
    String entry = mirror.registered(mote, "mote-1", 1);
    assertThat(code(mirror.put(entry + "/led", command(7)))).isEqualTo("2.04");
    restore();
    assertThat(code(mirror.put(entry + "/led", command(8)))).isEqualTo("4.09");
    assertThat(MirrorFixture.line(mirror.get(entry + "?commands"))).isEqualTo("" + (7 + JUMP));
    assertThat(code(mirror.put(entry + "/led", command(8 + JUMP)))).isEqualTo("2.04");
  }

  @Test
  void theFirstCommandEverIsRefusedWhenItIsOlderThanTheRestoration() {
    String entry = mirror.registered(mote, "mote-1", 1);
    restore();
    assertThat(code(mirror.put(entry + "/led", command(1)))).isEqualTo("4.09");
    assertThat(code(mirror.put(entry + "/led", command(1 + JUMP)))).isEqualTo("2.04");
  }

  @Test
  void eachRestorationRaisesTheNumbersAgain() {
    String entry = mirror.registered(mote, "mote-1", 1);
    restore();
    restore();
    assertThat(MirrorFixture.line(mirror.register(mote, "mote-1", 2, "")))
        .isEqualTo("" + (1 + 2 * JUMP));
    assertThat(MirrorFixture.line(mirror.register(new TestSigner(), "mote-2", 2, "")))
        .isEqualTo("" + 2 * JUMP);
    assertThat(code(mirror.get(entry))).isEqualTo("2.05");
  }

  @Test
  void numbersOfAClockInMillisecondsAreAlsoSkipped() {
    long high = 1L << 32;
    mirror.registered(mote, "mote-1", high);
    Duration elapsed = Duration.ofDays(10);
    restore(elapsed);
    assertThat(code(mirror.register(mote, "mote-1", high + elapsed.toMillis(), "")))
        .isEqualTo("4.09");
  }

  @Test
  void aNewEndpointReachesTheFloorHoweverManyRestorations() {
    for (int i = 0; i < 40; i++) {
      restore();
    }
    long floor = Long.parseLong(MirrorFixture.line(mirror.register(mote, "mote-1", 1, "")));
    assertThat(floor).isBetween(15 * JUMP, (1L << 32) - 1);
    assertThat(code(mirror.register(mote, "mote-1", floor + 1, ""))).isEqualTo("2.01");
  }

  @Test
  void aNumberNearTheEndOfTheSpaceIsNeverLowered() {
    EndpointName name = new EndpointName("mote-1", "");
    long last = (1L << 53) - 2;
    mirror
        .store
        .submit(
            new Batch(
                name,
                mirror.clock.instant(),
                OptionalLong.of(last),
                OptionalLong.empty(),
                List.of()))
        .join();
    restore();
    assertThat(mirror.store.endpoint(name).orElseThrow().high()).isEqualTo(last);
  }

  @Test
  void theRestorationIsInTheAuditTrail() {
    restore();
    assertThat(mirror.queries().audit(null, "", 0, 10))
        .anyMatch(entry -> entry.action().equals("restored"));
  }
}
