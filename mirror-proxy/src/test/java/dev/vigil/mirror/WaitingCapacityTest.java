package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.limits.WaitingCapacity;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The places of all keys that wait for an operator's decision. */
class WaitingCapacityTest {
  private static final int PLACES = 40;
  private static final String STRANGER = "2001:db8:bad::1";

  private final MirrorFixture mirror;

  WaitingCapacityTest(@TempDir Path folder) {
    mirror =
        new MirrorFixture(
            folder,
            TestDomain.nameless().trusting(TrustPolicy.APPROVE).namesPerMinute(10_000).build());
    mirror.restartWithWaitingPlaces(PLACES);
  }

  private Response register(TestSigner key, String ep, String from, boolean verified) {
    return register(MirrorFixture.registration(key, ep, 1, ""), ep, from, verified);
  }

  private Response register(byte[] registration, String ep, String from, boolean verified) {
    return mirror.ask(
        Method.POST,
        "/ms?ep=" + ep,
        ContentFormat.JOSE,
        registration,
        MirrorFixture.caller(from, verified));
  }

  private void flood(int names) {
    for (int i = 0; i < names; i++) {
      register(new TestSigner(), "stranger-" + i, STRANGER, true);
    }
  }

  private List<EndpointView> pending() {
    return mirror.queries().endpoints().stream()
        .filter(endpoint -> endpoint.state() == TrustState.PENDING)
        .toList();
  }

  @Test
  void aStrangersNamesEndAtTheirBoundAndLeaveRoomForOthers() {
    TestSigner early = new TestSigner();
    register(early, "early", "192.0.2.1", true);
    flood(60);
    assertThat(pending()).hasSize(PLACES);
    Response full = register(new TestSigner(), "more", STRANGER, true);
    assertThat(full.code().dotted()).isEqualTo("5.03");
    assertThat(full.maxAge()).isPositive();

    TestSigner late = new TestSigner();
    assertThat(register(late, "late", "192.0.2.2", true).code().dotted()).isEqualTo("2.01");
    assertThat(pending()).hasSize(PLACES);
    assertThat(pending())
        .extracting(EndpointView::ep)
        .contains("early", "late", "stranger-0")
        .doesNotContain("stranger-38");
    mirror.restart();
    assertThat(pending()).hasSize(PLACES);
  }

  /** Otherwise a flood would fill the disk with records of removed names. */
  @Test
  void aDisplacedNameLeavesNoAuditRecordsBehind() {
    flood(PLACES);
    String newest = "stranger-" + (PLACES - 1);
    assertThat(auditRecords(newest)).isNotEmpty();
    register(new TestSigner(), "late", "192.0.2.2", true);
    assertThat(pending()).extracting(EndpointView::ep).contains("late").doesNotContain(newest);
    assertThat(auditRecords(newest)).isEmpty();
  }

  @Test
  void aDisplacedKeyDoesNotEndAnApprovalForItsName() {
    flood(PLACES);
    EndpointView newest =
        pending().stream()
            .filter(each -> each.ep().equals("stranger-" + (PLACES - 1)))
            .findFirst()
            .orElseThrow();
    TestSigner mote = new TestSigner();
    mirror.operations().approve(mote.jkt(), newest.id(), List.of(""), "alice").join();
    assertThat(register(new TestSigner(), "late", "192.0.2.2", true).code().dotted())
        .isEqualTo("2.01");
    assertThat(register(mote, newest.ep(), "192.0.2.1", true).code().dotted()).isEqualTo("2.01");
    assertThat(mirror.queries().endpoint(newest.id()).orElseThrow().state())
        .isEqualTo(TrustState.TRUSTED);
  }

  private List<Store.HistoryEntry> auditRecords(String ep) {
    return mirror.store.history(new EndpointName(ep, ""), StoreSlots.AUDIT, -1, 9);
  }

  @Test
  void trustedEndpointsGoOnWhileStrangersFillThePlaces() {
    TestSigner mote = new TestSigner();
    String entry = MirrorFixture.entry(register(mote, "mote-1", "192.0.2.1", true));
    mirror.operations().approve(mote.jkt(), entry.substring(4), List.of(""), "alice").join();
    flood(60);
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .isEqualTo("2.01");
    assertThat(
            register(MirrorFixture.registration(mote, "mote-1", 3, ""), "mote-1", STRANGER, true)
                .code()
                .dotted())
        .isEqualTo("2.01");
    assertThat(register(new TestSigner(), "mote-1", STRANGER, true).code().dotted())
        .as("another key for a name counts too")
        .isEqualTo("5.03");
  }

  @Test
  void unverifiedSourcesShareThePlacesOfOne() {
    for (int i = 0; i < 60; i++) {
      register(new TestSigner(), "forged-" + i, "198.51.100." + i, false);
    }
    assertThat(pending()).hasSize(PLACES);
    TestSigner mote = new TestSigner();
    assertThat(register(mote, "mote-1", "192.0.2.1", false).code().dotted()).isEqualTo("4.01");
    assertThat(register(mote, "mote-1", "192.0.2.1", true).code().dotted()).isEqualTo("2.01");
  }

  @Test
  void aDecisionFreesThePlace() {
    flood(60);
    EndpointView first = pending().getFirst();
    mirror.operations().refuse(first.id(), first.jkt(), "alice").join();
    assertThat(register(new TestSigner(), "next", STRANGER, true).code().dotted())
        .isEqualTo("2.01");
    assertThat(register(new TestSigner(), "more", STRANGER, true).code().dotted())
        .isEqualTo("5.03");
    EndpointView second = pending().getFirst();
    mirror.operations().approve(second.jkt(), second.id(), List.of(""), "alice").join();
    assertThat(register(new TestSigner(), "more", STRANGER, true).code().dotted())
        .isEqualTo("2.01");
  }

  @Test
  void aLargeRegistrationTakesSeveralPlaces() {
    String links = "</temp>;title=\"" + "x".repeat(8000) + "\"";
    int taken = 0;
    for (int i = 0; i < PLACES; i++) {
      TestSigner key = new TestSigner();
      String header =
          "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"big-%d\",\"seq\":1}"
              .formatted(key.jwk().json(), i);
      byte[] registration = key.jws(header, links.getBytes(StandardCharsets.UTF_8));
      Response answer = register(registration, "big-" + i, STRANGER, true);
      taken += answer.code().isSuccess() ? 1 : 0;
    }
    assertThat(taken).isEqualTo(PLACES / 10);
  }

  /** A small registration takes one place; one with 8000 octets of links takes ten. */
  private static boolean reserve(WaitingCapacity capacity, String ep, String from, int octets) {
    Lease lease = new Lease("x".repeat(octets), null, 0, 0, 0, 0, 0, new byte[0], List.of());
    return capacity.reserve(new EndpointName(ep, ""), ep, lease, new KeyArrival(0, from, true));
  }

  @Test
  void aRegistrationThatFindsTooFewPlacesDisplacesNoKey() {
    WaitingCapacity capacity = new WaitingCapacity(PLACES);
    for (int i = 0; i < PLACES; i++) {
      String network = "2001:db8:" + i % 4 + "::1";
      assertThat(reserve(capacity, "small-" + i, network, 20)).isTrue();
    }
    for (int tries = 0; tries < 2; tries++) {
      assertThat(reserve(capacity, "large", STRANGER, 8000)).isFalse();
      assertThat(capacity.size()).isEqualTo(PLACES);
      assertThat(capacity.takeDisplaced()).isEmpty();
    }

    assertThat(reserve(capacity, "late", STRANGER, 20)).isTrue();
    assertThat(capacity.size()).isEqualTo(PLACES);
    assertThat(capacity.takeDisplaced())
        .extracting(WaitingCapacity.Waiting::jkt)
        .as("the newest key of a source")
        .isSubsetOf("small-36", "small-37", "small-38", "small-39")
        .hasSize(1);
  }

  @Test
  void aDisplacedLargeRegistrationGetsAllItsPlacesBack() {
    WaitingCapacity capacity = new WaitingCapacity(PLACES);
    assertThat(reserve(capacity, "small", "2001:db8:1::1", 20)).isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(reserve(capacity, "large-" + i, "2001:db8:1::1", 8000)).isTrue();
    }
    for (int i = 0; i < 9; i++) {
      assertThat(reserve(capacity, "other-" + i, "2001:db8:2::1", 20)).isTrue();
    }
    assertThat(reserve(capacity, "larger", "2001:db8:2::1", 16000)).isFalse();
    assertThat(capacity.size()).isEqualTo(PLACES);
    assertThat(capacity.takeDisplaced()).isEmpty();

    assertThat(reserve(capacity, "late", STRANGER, 20)).isTrue();
    assertThat(capacity.takeDisplaced())
        .extracting(WaitingCapacity.Waiting::jkt)
        .containsExactly("large-2");
    assertThat(capacity.size()).as("its other places are free").isEqualTo(PLACES - 9);
  }

  /** Plain registrations take a place at their first valid update. */
  @Test
  void aProofThatCouldNotBeStoredLeavesNoPlaceTaken() {
    TestSigner key = new TestSigner();
    Response plain =
        mirror.ask(Method.POST, "/ms?ep=plain", ContentFormat.MULTIPART, MirrorFixture.plain(key));
    String path = MirrorFixture.entry(plain) + "/temp";
    byte[] proof = MirrorFixture.update(key, "temp", 1);
    mirror.store.full(true);
    assertThat(mirror.put(path, proof).code().dotted()).isEqualTo("5.03");
    assertThat(mirror.queries().counts().waitingPlaces()).isZero();

    mirror.store.full(false);
    assertThat(mirror.put(path, proof).code().dotted()).as("awaits approval").isEqualTo("4.03");
    assertThat(mirror.queries().counts().waitingPlaces()).isEqualTo(1);
  }

  @Test
  void aStartWithFewerPlacesKeepsThoseThatWaitLongest() {
    register(new TestSigner(), "early", "192.0.2.1", true);
    flood(60);
    mirror.restartWithWaitingPlaces(10);
    assertThat(pending()).hasSize(10).extracting(EndpointView::ep).contains("early");
    mirror.restart();
    assertThat(pending()).hasSize(10);
  }

  @Test
  void thePlacesFollowTheHeapAndTheFreeDisk() {
    assertThat(WaitingCapacity.places(256L << 20, 512L << 20)).isEqualTo(1365);
    assertThat(WaitingCapacity.places(4L << 30, 48L << 20)).isEqualTo(128);
    assertThat(WaitingCapacity.places(1L << 20, 0)).isEqualTo(16);
  }
}
