package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.Census;
import dev.vigil.mirror.read.Freshness;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.state.Accepted;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counts for metrics. */
class CountsTest {
  @TempDir Path folder;

  private final TestSigner mote = new TestSigner();

  @Test
  void acceptedRequestsAreCountedByKind() {
    MirrorFixture mirror = new MirrorFixture(folder);
    MirrorCounts counts = mirror.queries().counts();
    String entry = mirror.registered(mote, "mote-1", 1);
    byte[] update = MirrorFixture.update(mote, "temp", 2);
    mirror.put(entry + "/temp", update);
    mirror.put(entry + "/temp", update);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "load", 3));
    mirror.put(entry + "/load", MirrorFixture.update(mote, "load", 3));
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3));
    assertThat(counts.accepted(Accepted.REGISTRATION)).isEqualTo(1);
    assertThat(counts.accepted(Accepted.UPDATE)).isEqualTo(2);
    assertThat(counts.accepted(Accepted.REPETITION)).isEqualTo(1);
    assertThat(counts.refused(Reason.WRONG_RESOURCE)).isEqualTo(1);
    assertThat(counts.refused(Reason.NUMBER_USED)).isEqualTo(1);
  }

  @Test
  void aProofCountsTheRegistrationAndTheUpdate() {
    MirrorFixture mirror = new MirrorFixture(folder);
    MirrorCounts counts = mirror.queries().counts();
    String entry =
        MirrorFixture.entry(
            mirror.ask(
                Method.POST, "/ms?ep=plain", ContentFormat.MULTIPART, MirrorFixture.plain(mote)));
    assertThat(counts.accepted(Accepted.UNPROVEN_REGISTRATION)).isEqualTo(1);
    assertThat(counts.accepted(Accepted.REGISTRATION)).isZero();
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 1));
    assertThat(counts.accepted(Accepted.REGISTRATION)).isEqualTo(1);
    assertThat(counts.accepted(Accepted.UPDATE)).isEqualTo(1);
  }

  /** Anyone may make such registrations, each with a new id. */
  @Test
  void refusalsOfUnprovenRegistrationsTakeNoPlaceOfAnEndpoint() {
    MirrorFixture mirror = new MirrorFixture(folder);
    String entry =
        MirrorFixture.entry(
            mirror.ask(
                Method.POST, "/ms?ep=plain", ContentFormat.MULTIPART, MirrorFixture.plain(mote)));
    mirror.put(entry + "/temp", MirrorFixture.update(new TestSigner(), "temp", 1));
    assertThat(mirror.queries().refusals(entry.substring(4))).isEmpty();
    assertThat(mirror.queries().refusals("")).hasSize(1);
  }

  @Test
  void refusalsOfARemovedEndpointAreForgotten() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.APPROVE));
    String entry = mirror.registered(mote, "mote-1", 1);
    String id = entry.substring(4);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    assertThat(mirror.queries().refusals(id)).hasSize(1);
    mirror.operations().refuse(id, mote.jkt(), "alice").join();
    assertThat(mirror.queries().refusals(id)).isEmpty();
    assertThat(mirror.queries().counts().refused(Reason.NOT_TRUSTED)).isEqualTo(1);
  }

  @Test
  void everyVerificationIsCountedAndTimed() {
    MirrorFixture mirror = new MirrorFixture(folder);
    MirrorCounts counts = mirror.queries().counts();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    byte[] forged = MirrorFixture.update(mote, "temp", 3);
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    mirror.put(entry + "/temp", forged);
    assertThat(counts.refused(Reason.BAD_SIGNATURE)).isEqualTo(1);
    assertThat(counts.verifications()).isEqualTo(3);
    // The fixture's clock advances by a nanosecond each time it is read.
    assertThat(counts.verificationNanos()).isEqualTo(3);
  }

  @Test
  void endpointsAreCountedByTrustAndFreshness() {
    MirrorFixture mirror =
        new MirrorFixture(
            folder, Domain.of("", TrustPolicy.FIRST_USE), Domain.of("x", TrustPolicy.APPROVE));
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    mirror.register(new TestSigner(), "mote-2", 1, ",\"wake\":60,\"d\":\"x\"");
    mirror.ask(
        Method.POST,
        "/ms?ep=plain",
        ContentFormat.MULTIPART,
        MirrorFixture.plain(new TestSigner()));
    Census fresh = mirror.queries().census();
    assertThat(fresh.endpoints(TrustState.TRUSTED, Freshness.ON_TIME)).isEqualTo(1);
    assertThat(fresh.endpoints(TrustState.PENDING, Freshness.NOT_TRUSTED)).isEqualTo(1);
    assertThat(fresh.endpoints(TrustState.UNPROVEN, Freshness.NOT_TRUSTED)).isEqualTo(1);
    mirror.clock.forward(Duration.ofSeconds(90));
    Census late = mirror.queries().census();
    assertThat(late.endpoints(TrustState.TRUSTED, Freshness.LATE)).isEqualTo(1);
    // The updates of a waiting key are refused, so the endpoint is never heard.
    assertThat(late.endpoints(TrustState.PENDING, Freshness.NOT_TRUSTED)).isEqualTo(1);
    mirror.clock.forward(Duration.ofSeconds(100));
    assertThat(mirror.queries().census().endpoints(TrustState.TRUSTED, Freshness.MISSING))
        .isEqualTo(1);
    assertThat(mirror.queries().census().endpoints(TrustState.TRUSTED, Freshness.LATE)).isZero();
  }

  @Test
  void keysAreCountedByState() {
    MirrorFixture mirror = new MirrorFixture(folder);
    mirror.registered(mote, "mote-1", 1);
    mirror.register(new TestSigner(), "mote-1", 2, "");
    TestSigner lost = new TestSigner();
    mirror.registered(lost, "mote-2", 1);
    mirror.operations().revoke(lost.jkt(), "alice").join();
    Census census = mirror.queries().census();
    assertThat(census.keys(TrustState.TRUSTED)).isEqualTo(1);
    assertThat(census.keys(TrustState.PENDING)).isEqualTo(1);
    assertThat(census.keys(TrustState.REVOKED)).isEqualTo(1);
    assertThat(census.keys(TrustState.REPLACED)).isZero();
    assertThat(census.endpoints(TrustState.REVOKED, Freshness.NOT_TRUSTED)).isEqualTo(1);
    assertThat(mirror.queries().counts().waitingPlaces()).isEqualTo(1);
  }
}
