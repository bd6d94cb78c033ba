package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.KeyView;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that wait for one name, and approvals while strangers also ask for it. */
class WaitingKeysTest {
  private static final String HOME = "192.0.2.1";

  @TempDir Path folder;

  private static MirrorFixture approving(Path folder) {
    return new MirrorFixture(folder, Domain.of("", TrustPolicy.APPROVE));
  }

  private static Response register(
      MirrorFixture mirror, TestSigner key, long seq, String from, boolean verified) {
    return mirror.ask(
        Method.POST,
        "/ms?ep=mote-1",
        ContentFormat.JOSE,
        MirrorFixture.registration(key, "mote-1", seq, ""),
        MirrorFixture.caller(from, verified),
        ContentFormat.CBOR);
  }

  private static String code(MirrorFixture mirror, TestSigner key, long seq, String from) {
    return register(mirror, key, seq, from, true).code().dotted();
  }

  private static EndpointView view(MirrorFixture mirror) {
    return mirror.queries().endpoints().getFirst();
  }

  private static List<String> waiting(MirrorFixture mirror) {
    return view(mirror).waiting().stream().map(KeyView::jkt).toList();
  }

  private static void approve(MirrorFixture mirror, TestSigner key) {
    mirror.operations().approve(key.jkt(), view(mirror).id(), List.of(""), "alice").join();
  }

  @Test
  void everyApprovalWorksWhileStrangersAskForTheName() {
    MirrorFixture mirror = approving(folder);
    register(mirror, new TestSigner(), 1L << 32, "198.51.100.1", true);
    TestSigner mote = new TestSigner();
    assertThat(code(mirror, mote, 1, HOME)).isEqualTo("4.03");
    for (int i = 0; i < 30; i++) {
      code(mirror, new TestSigner(), 1, "198.51.100." + i);
    }
    mirror.restart();
    assertThat(waiting(mirror)).hasSize(8).contains(mote.jkt());

    approve(mirror, mote);

    assertThat(view(mirror).jkt()).isEqualTo(mote.jkt());
    assertThat(view(mirror).state()).isEqualTo(TrustState.TRUSTED);
    assertThat(view(mirror).high()).as("a stranger's number does not count").isEqualTo(1);
    assertThat(mirror.keys()).as("the decision ends the wait of all others").hasSize(1);
  }

  @Test
  void aKeyThatWaitsIsNotPushedOutByStrangers() {
    MirrorFixture mirror = approving(folder);
    TestSigner first = new TestSigner();
    TestSigner second = new TestSigner();
    register(mirror, first, 1, HOME, true);
    code(mirror, second, 1, "2001:db8:1::1");
    for (int i = 0; i < 20; i++) {
      code(mirror, new TestSigner(), 1, HOME);
      code(mirror, new TestSigner(), 1, "2001:db8:1::" + i);
      code(mirror, new TestSigner(), 1, "2001:db8:2:" + i + "::1");
      register(mirror, new TestSigner(), 1, "203.0.113." + i, false);
    }
    assertThat(waiting(mirror)).hasSize(8).contains(first.jkt(), second.jkt());
  }

  @Test
  void aFullNameHasPlacesLeftForOtherSources() {
    MirrorFixture mirror = approving(folder);
    for (int i = 0; i < 12; i++) {
      code(mirror, new TestSigner(), 1, "2001:db8:2:" + i + "::1");
    }
    assertThat(waiting(mirror)).hasSize(8);
    TestSigner mote = new TestSigner();
    code(mirror, mote, 1, HOME);
    assertThat(waiting(mirror)).hasSize(8).contains(mote.jkt());
  }

  @Test
  void anUnverifiedSourceThatFindsNoPlaceIsAskedToEcho() {
    MirrorFixture mirror = approving(folder);
    for (int i = 0; i < 12; i++) {
      register(mirror, new TestSigner(), 1, "203.0.113." + i, false);
    }
    TestSigner mote = new TestSigner();
    assertThat(register(mirror, mote, 1, HOME, false).code().dotted()).isEqualTo("4.01");
    assertThat(code(mirror, mote, 1, HOME)).isEqualTo("4.03");
    assertThat(waiting(mirror)).contains(mote.jkt());
  }

  @Test
  void aKeyApprovedByThumbprintIsTrustedAtItsNextRegistration() {
    MirrorFixture mirror = approving(folder);
    register(mirror, new TestSigner(), 5, "198.51.100.1", true);
    TestSigner mote = new TestSigner();
    mirror.operations().approve(mote.jkt(), null, List.of(""), "alice").join();
    mirror.restart();

    Response registered = register(mirror, mote, 1, HOME, true);

    assertThat(registered.code().dotted()).isEqualTo("2.01");
    assertThat(view(mirror).jkt()).isEqualTo(mote.jkt());
    assertThat(view(mirror).state()).isEqualTo(TrustState.TRUSTED);
    assertThat(mirror.keys()).as("a key that was never trusted is no former key").hasSize(1);
  }

  @Test
  void aKeyApprovedForANameReplacesTheTrustedOneOnce() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner old = new TestSigner();
    TestSigner fresh = new TestSigner();
    register(mirror, old, 7, HOME, true);
    approve(mirror, fresh);
    assertThat(mirror.keys()).extracting(KeyView::jkt).contains(fresh.jkt());
    mirror.restart();

    assertThat(code(mirror, fresh, 8, HOME)).isEqualTo("2.01");
    assertThat(view(mirror).jkt()).isEqualTo(fresh.jkt());
    assertThat(code(mirror, old, 9, HOME)).as("the old key is no longer trusted").isEqualTo("4.03");
    approve(mirror, old);
    assertThat(code(mirror, fresh, 10, HOME)).as("the approval was for once").isEqualTo("4.03");
  }

  @Test
  void aListedKeyDoesNotTakeTheNameOfATrustedOne() {
    MirrorFixture mirror = approving(folder);
    TestSigner mote = new TestSigner();
    register(mirror, mote, 1, HOME, true);
    approve(mirror, mote);
    TestSigner listed = new TestSigner();
    mirror.operations().approve(listed.jkt(), null, List.of(""), "alice").join();
    assertThat(code(mirror, listed, 2, HOME)).isEqualTo("4.03");
    assertThat(view(mirror).jkt()).isEqualTo(mote.jkt());
  }

  @Test
  void anApprovalInAdvanceCanBeTakenBack() {
    MirrorFixture mirror = new MirrorFixture(folder);
    register(mirror, new TestSigner(), 1, HOME, true);
    TestSigner fresh = new TestSigner();
    approve(mirror, fresh);
    mirror.operations().refuse(view(mirror).id(), fresh.jkt(), "alice").join();
    assertThat(code(mirror, fresh, 2, HOME)).isEqualTo("4.03");
    assertThatThrownBy(
            () ->
                mirror
                    .operations()
                    .refuse(view(mirror).id(), new TestSigner().jkt(), "alice")
                    .join())
        .hasMessageContaining("does not wait");
  }

  @Test
  void anApprovalInAdvanceOutlivesTheRefusalOfTheOnlyOtherKey() {
    MirrorFixture mirror = approving(folder);
    TestSigner impostor = new TestSigner();
    TestSigner mote = new TestSigner();
    register(mirror, impostor, 1, "198.51.100.1", true);
    approve(mirror, mote);
    mirror.operations().refuse(view(mirror).id(), impostor.jkt(), "alice").join();
    mirror.restart();

    mirror.registered(impostor, "mote-1", 2);
    assertThat(view(mirror).state()).as("the refused key").isEqualTo(TrustState.PENDING);
    assertThat(code(mirror, mote, 1, HOME)).isEqualTo("2.01");
    assertThat(view(mirror).jkt()).isEqualTo(mote.jkt());
    assertThat(view(mirror).state()).isEqualTo(TrustState.TRUSTED);
  }

  @Test
  void aFullDomainKeepsExpiredNamesWithAnApprovalInAdvance() {
    MirrorFixture mirror =
        new MirrorFixture(
            folder, TestDomain.nameless().trusting(TrustPolicy.APPROVE).endpoints(1).build());
    TestSigner mote = new TestSigner();
    mirror.register(new TestSigner(), "mote-1", 1, ",\"lt\":60");
    approve(mirror, mote);
    mirror.clock.forward(Duration.ofMinutes(2));
    assertThat(mirror.register(new TestSigner(), "mote-2", 1, "").code().dotted())
        .isEqualTo("5.03");
    assertThat(code(mirror, mote, 1, HOME)).isEqualTo("2.01");
    assertThat(view(mirror).state()).isEqualTo(TrustState.TRUSTED);
  }

  @Test
  void onlyThumbprintsOfUnrevokedKeysAreApproved() {
    MirrorFixture mirror = approving(folder);
    TestSigner mote = new TestSigner();
    mirror.operations().revoke(mote.jkt(), "alice").join();
    assertThatThrownBy(
            () -> mirror.operations().approve(mote.jkt(), null, List.of(""), "alice").join())
        .hasMessageContaining("revoked");
    assertThatThrownBy(
            () -> mirror.operations().approve("mote-1", null, List.of(""), "alice").join())
        .hasMessageContaining("not a thumbprint");
  }

  @Test
  void refusingTheFirstKeyOfANameLeavesTheOthersWaiting() {
    MirrorFixture mirror = approving(folder);
    TestSigner stranger = new TestSigner();
    TestSigner mote = new TestSigner();
    register(mirror, stranger, 1, "198.51.100.1", true);
    code(mirror, mote, 1, HOME);
    mirror.operations().refuse(view(mirror).id(), stranger.jkt(), "alice").join();
    assertThat(waiting(mirror)).containsExactly(mote.jkt());
    assertThat(code(mirror, mote, 2, HOME)).isEqualTo("2.01");
    approve(mirror, mote);
    assertThat(view(mirror).state()).isEqualTo(TrustState.TRUSTED);
  }

  @Test
  void aRefusedNameKeepsNoBlockStoreThatAnOperatorAssignedToIt() {
    MirrorFixture mirror = approving(folder);
    TestSigner mote = new TestSigner();
    register(mirror, mote, 1, HOME, true);
    String id = view(mirror).id();
    mirror.proxy().recovery().reassign("2001:db8::9", id, "alice").join();
    mirror.operations().refuse(id, mote.jkt(), "alice").join();
    assertThat(mirror.proxy().recovery().owner("2001:db8::9")).isEmpty();
  }

  @Test
  void eachWaitingKeyShowsWhenAndFromWhereItCame() {
    MirrorFixture mirror = approving(folder);
    register(mirror, new TestSigner(), 1, "198.51.100.1", true);
    code(mirror, new TestSigner(), 1, "2001:db8::7");
    mirror.restart();
    assertThat(view(mirror).waiting())
        .extracting(key -> key.arrival() == null ? "" : key.arrival().from())
        .containsExactly("198.51.100.1", "2001:db8::7");
    assertThat(view(mirror).waiting())
        .allMatch(
            key ->
                key.arrival() != null
                    && key.arrival().at() == MirrorFixture.START.getEpochSecond());
  }

  @Test
  void onlyTheFirstKeyThatAsksRaisesAnAlarm() {
    MirrorFixture mirror = new MirrorFixture(folder);
    register(mirror, new TestSigner(), 1, HOME, true);
    for (int i = 0; i < 12; i++) {
      code(mirror, new TestSigner(), 1, "198.51.100." + i);
    }
    assertThat(mirror.queries().audit("mote-1", "", 0, 100))
        .filteredOn(entry -> entry.action().startsWith("alarm"))
        .hasSize(1);
  }

  @Test
  void strangersLearnNoSequenceNumberByRegisteringTheName() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    register(mirror, mote, 500, HOME, true);
    assertThat(code(mirror, new TestSigner(), 1, "198.51.100.1")).isEqualTo("4.03");
    TestSigner stranger = new TestSigner();
    byte[] inner = MirrorFixture.registration(stranger, "mote-1", 1, "");
    byte[] rotation =
        stranger.jws(
            "{\"alg\":\"ES256\",\"typ\":\"vigil-rotate\",\"cty\":\"jose\",\"kid\":\"%s\",\"seq\":1}"
                .formatted(mote.jkt()),
            inner);
    Response forged =
        mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, rotation, ContentFormat.CBOR);
    assertThat(forged.code().dotted()).isEqualTo("4.01");
    assertThat(new String(forged.payload(), UTF_8)).doesNotContain("500");
  }

  @Test
  void aHeldKeyStoredByAnEarlierVersionStaysReadable() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    TestSigner other = new TestSigner();
    register(mirror, mote, 1, HOME, true);
    String lease =
        "{\"links\":\"</temp>\",\"lt\":90000,\"wake\":60,\"registered\":1763640000,"
            + "\"expires\":1763730000,\"seq\":9,\"sha256\":\"AA\",\"aliases\":[]}";
    String stored =
        "{\"jwk\":%s,\"why\":\"another key asks for the name\",\"lease\":%s}"
            .formatted(other.jwk().json(), lease);
    mirror
        .store
        .submit(
            new Batch(
                new EndpointName("mote-1", ""),
                MirrorFixture.START,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(new Fact(StoreSlots.HELD, 1, stored.getBytes(UTF_8)))))
        .join();
    mirror.restart();

    KeyView held = view(mirror).waiting().getFirst();
    assertThat(held.jkt()).isEqualTo(other.jkt());
    assertThat(held.arrival()).isNotNull();
    assertThat(Instant.ofEpochSecond(held.arrival() == null ? 0 : held.arrival().at()))
        .isEqualTo(Instant.ofEpochSecond(1763640000));
    List<String> both = new ArrayList<>(List.of(other.jkt()));
    TestSigner third = new TestSigner();
    both.add(third.jkt());
    code(mirror, third, 2, HOME);
    assertThat(waiting(mirror)).isEqualTo(both);
    approve(mirror, other);
    assertThat(view(mirror).high()).isEqualTo(9);
  }
}
