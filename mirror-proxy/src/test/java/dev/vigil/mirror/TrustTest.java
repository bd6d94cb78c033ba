package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.AuditEntry;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.KeyView;
import dev.vigil.mirror.read.MirrorEvent;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustTest {
  @TempDir Path folder;

  @Test
  void aPendingKeyIsNeitherServedNorPublished() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.APPROVE));
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 5);
    String id = entry.substring(4);

    Response held = mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 6));
    assertThat(held.code().dotted()).isEqualTo("4.03");
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    assertThat(mirror.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1))
        .isEmpty();

    approve(mirror, id, mote, "alice");
    assertThat(mirror.queries().endpoint(id).orElseThrow().state()).isEqualTo(TrustState.TRUSTED);

    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 6)).code().dotted())
        .isEqualTo("2.01");
    assertThat(mirror.queries().endpoint(id).orElseThrow().high()).isEqualTo(6);
    assertThat(audit(mirror, "mote-1"))
        .anyMatch(a -> a.contains("approved") && a.contains("alice"));
    approve(mirror, id, mote, "alice");
    assertThat(mirror.queries().endpoint(id).orElseThrow().state()).isEqualTo(TrustState.TRUSTED);
  }

  @Test
  void onlyTheOwnerOfAKeyLearnsThatItIsPendingOrRevoked() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.APPROVE));
    TestSigner mote = new TestSigner();
    String path = mirror.registered(mote, "mote-1", 5) + "/temp";
    byte[] forged =
        new TestSigner()
            .jws(mote.header("application/senml+json", "temp", 6, -1), MirrorFixture.SENML);
    assertThat(mirror.put(path, forged).code().dotted()).as("pending").isEqualTo("4.01");
    assertThat(mirror.put(path, MirrorFixture.update(mote, "temp", 6)).code().dotted())
        .isEqualTo("4.03");

    mirror.operations().revoke(mote.jkt(), "alice").join();
    assertThat(mirror.put(path, forged).code().dotted()).as("revoked").isEqualTo("4.01");
    assertThat(mirror.put(path, MirrorFixture.update(mote, "temp", 6)).code().dotted())
        .isEqualTo("4.03");
  }

  @Test
  void aRefusedNameIsFreeAgain() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.APPROVE));
    TestSigner attacker = new TestSigner();
    String entry = mirror.registered(attacker, "mote-1", 1L << 31);
    mirror.operations().refuse(entry.substring(4), attacker.jkt(), "alice").join();
    assertThat(mirror.queries().endpoints()).isEmpty();
    TestSigner real = new TestSigner();
    String id = mirror.registered(real, "mote-1", 1).substring(4);
    approve(mirror, id, real, "alice");
    assertThat(mirror.queries().endpoints().getFirst().high())
        .as("an untrusted key does not advance H")
        .isEqualTo(1);
  }

  @Test
  void aListedDomainTrustsListedKeysOnly() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.LISTED));
    TestSigner mote = new TestSigner();
    assertThat(mirror.register(mote, "mote-1", 1, "").code().dotted()).isEqualTo("4.03");
    assertThat(mirror.store.size()).as("nothing is left behind").isZero();
    mirror.operations().listKeys("", List.of(ListedKey.of(mote.jwk(), null)), "alice").join();
    mirror.restart();
    assertThat(mirror.register(mote, "mote-1", 1, "").code().dotted()).isEqualTo("2.01");
  }

  @Test
  void aKeyMayBeListedForOneNameOrByThumbprintAlone() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.LISTED));
    TestSigner bound = new TestSigner();
    TestSigner labelled = new TestSigner();
    mirror
        .operations()
        .listKeys(
            "",
            List.of(ListedKey.of(bound.jwk(), "mote-1"), new ListedKey(labelled.jkt(), null, null)),
            "alice")
        .join();
    mirror.restart();
    assertThat(mirror.register(bound, "mote-2", 1, "").code().dotted()).isEqualTo("4.03");
    assertThat(mirror.register(bound, "mote-1", 1, "").code().dotted()).isEqualTo("2.01");
    assertThat(mirror.register(labelled, "mote-3", 1, "").code().dotted()).isEqualTo("2.01");
    TestSigner late = new TestSigner();
    mirror.operations().listKeys("", List.of(ListedKey.of(late.jwk(), null)), "alice").join();
    mirror.operations().unlistKey("", late.jkt(), "alice").join();
    assertThat(mirror.register(late, "mote-4", 1, "").code().dotted()).isEqualTo("4.03");
  }

  @Test
  void onlyTheKeyThatTheOperatorSawIsApproved() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner old = new TestSigner();
    TestSigner first = new TestSigner();
    TestSigner second = new TestSigner();
    String id = mirror.registered(old, "mote-1", 1).substring(4);
    mirror.register(first, "mote-1", 10, "");
    mirror.operations().refuse(id, first.jkt(), "alice").join();
    mirror.register(second, "mote-1", 11, "");
    approve(mirror, id, first, "bob");
    assertThat(mirror.keys())
        .filteredOn(KeyView::held)
        .extracting(KeyView::jkt)
        .containsExactly(second.jkt());
    assertThat(mirror.queries().endpoint(id).orElseThrow().jkt()).isEqualTo(old.jkt());
  }

  @Test
  void anotherKeyForAKnownNameIsHeldAndTheOldOneStaysValid() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    TestSigner attacker = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));

    Response refused = mirror.register(attacker, "mote-1", 1000, "");

    assertThat(refused.code().dotted()).isEqualTo("4.03");
    EndpointView view = mirror.queries().endpoint(entry.substring(4)).orElseThrow();
    assertThat(view.waiting()).extracting(KeyView::jkt).containsExactly(attacker.jkt());
    assertThat(view.jkt()).isEqualTo(mote.jkt());
    assertThat(view.high()).as("a held key does not advance H").isEqualTo(2);
    assertThat(audit(mirror, "mote-1")).anyMatch(a -> a.contains("alarm"));
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("2.04");
    assertThat(
            mirror.put(entry + "/temp", MirrorFixture.update(attacker, "temp", 4)).code().dotted())
        .isEqualTo("4.01");
    assertThat(mirror.register(new TestSigner(), "mote-1", 1001, "").code().dotted())
        .isEqualTo("4.03");
    assertThat(mirror.queries().endpoint(entry.substring(4)).orElseThrow().waiting())
        .as("the first key stays held")
        .extracting(KeyView::jkt)
        .startsWith(attacker.jkt());
  }

  @Test
  void valuesOfAReplacedKeyStayVerifiable() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner old = new TestSigner();
    TestSigner fresh = new TestSigner();
    String entry = mirror.registered(old, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(old, "temp", 2));
    mirror.register(fresh, "mote-1", 10, "");

    approve(mirror, entry.substring(4), fresh, "alice");

    assertThat(mirror.get("/keys/" + old.jkt()).code().dotted()).isEqualTo("2.05");
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("2.05");
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(old, "temp", 11)).code().dotted())
        .isEqualTo("4.01");
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(fresh, "temp", 11)).code().dotted())
        .isEqualTo("2.04");
    assertThat(mirror.keys())
        .extracting(KeyView::jkt, KeyView::state)
        .contains(
            Tuple.tuple(old.jkt(), TrustState.REPLACED),
            Tuple.tuple(fresh.jkt(), TrustState.TRUSTED));
  }

  @Test
  void aRotationTakesEffectAtOnceOrIsHeldAsTheDomainSays() {
    MirrorFixture mirror =
        new MirrorFixture(
            folder,
            TestDomain.nameless().build(),
            TestDomain.named("careful").holdingRotations().build());
    TestSigner old = new TestSigner();
    TestSigner fresh = new TestSigner();
    String entry = mirror.registered(old, "mote-1", 1);
    Response done =
        mirror.ask(
            Method.POST,
            "/ms",
            ContentFormat.JOSE,
            MirrorFixture.rotation(old, fresh, "mote-1", 2, ""));
    assertThat(done.code().dotted()).isEqualTo("2.01");
    assertThat(mirror.queries().endpoint(entry.substring(4)).orElseThrow().jkt())
        .isEqualTo(fresh.jkt());

    TestSigner other = new TestSigner();
    TestSigner next = new TestSigner();
    mirror.register(other, "mote-2", 1, ",\"d\":\"careful\"");
    Response held =
        mirror.ask(
            Method.POST,
            "/ms",
            ContentFormat.JOSE,
            MirrorFixture.rotation(other, next, "mote-2", 2, ",\"d\":\"careful\""));
    assertThat(held.code().dotted()).isEqualTo("4.03");
    assertThat(mirror.queries().endpoints().getLast().waiting())
        .extracting(KeyView::jkt)
        .containsExactly(next.jkt());
  }

  @Test
  void aRotationNotSignedByTheOldKeyIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner old = new TestSigner();
    TestSigner attacker = new TestSigner();
    mirror.registered(old, "mote-1", 1);
    byte[] inner = MirrorFixture.registration(attacker, "mote-1", 2, "");
    byte[] forged =
        attacker.jws(
            "{\"alg\":\"ES256\",\"typ\":\"vigil-rotate\",\"cty\":\"jose\",\"kid\":\"%s\",\"seq\":2}"
                .formatted(old.jkt()),
            inner);
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, forged).code().dotted())
        .isEqualTo("4.01");
    assertThat(mirror.queries().endpoints().getFirst().jkt()).isEqualTo(old.jkt());
  }

  private static void approve(MirrorFixture mirror, String id, TestSigner key, String actor) {
    mirror.operations().approve(key.jkt(), id, List.of(""), actor).join();
  }

  @Test
  void anApprovalForOtherDomainsThanTheEndpointsIsRefused() {
    MirrorFixture mirror =
        new MirrorFixture(
            folder, Domain.of("a", TrustPolicy.APPROVE), Domain.of("b", TrustPolicy.APPROVE));
    TestSigner mote = new TestSigner();
    String id = mirror.register(mote, "mote-1", 1, ",\"d\":\"b\"").location().getLast();
    assertThatThrownBy(
            () -> mirror.operations().approve(mote.jkt(), id, List.of("a"), "alice").join())
        .hasMessageContaining("no such endpoint");
    assertThat(mirror.queries().endpoint(id).orElseThrow().state()).isEqualTo(TrustState.PENDING);
    mirror.operations().approve(mote.jkt(), id, List.of("a", "b"), "alice").join();
    assertThat(mirror.queries().endpoint(id).orElseThrow().state()).isEqualTo(TrustState.TRUSTED);
  }

  @Test
  void aRevokedKeyIsRevokedUnderEveryNameAndAfterARestart() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));

    mirror.operations().revoke(mote.jkt(), "alice").join();
    mirror.restart();

    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("4.03");
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("4.03");
    assertThat(mirror.register(mote, "mote-9", 1, "").code().dotted()).isEqualTo("4.03");
    EndpointView view = mirror.queries().endpoint(entry.substring(4)).orElseThrow();
    assertThat(view.state()).isEqualTo(TrustState.REVOKED);
    assertThat(view.resources().getFirst().marks()).contains(ValueMark.REVOKED);
    assertThat(mirror.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1))
        .as("publication in the directory")
        .isEmpty();
    TestSigner fresh = new TestSigner();
    assertThat(mirror.register(fresh, "mote-1", 10, "").code().dotted()).isEqualTo("2.01");
    assertThat(mirror.queries().endpoint(entry.substring(4)).orElseThrow().state())
        .as("the next key of the name awaits approval")
        .isEqualTo(TrustState.PENDING);
  }

  @Test
  void aKeyKnownUnderAnotherNameIsHeld() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    mirror.registered(mote, "mote-1", 1);
    String second = mirror.registered(mote, "mote-2", 2);
    EndpointView view = mirror.queries().endpoint(second.substring(4)).orElseThrow();
    assertThat(view.state()).isEqualTo(TrustState.PENDING);
    assertThat(view.note()).contains("mote-1");
  }

  @Test
  void followersSeeRegistrationsUpdatesAndTrustInOrder() {
    MirrorFixture mirror = new MirrorFixture(folder);
    List<MirrorEvent.Kind> kinds = new ArrayList<>();
    mirror.queries().follow(0, event -> kinds.add(event.kind()));
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    mirror.operations().revoke(mote.jkt(), "alice").join();
    assertThat(kinds)
        .startsWith(
            MirrorEvent.Kind.REGISTERED,
            MirrorEvent.Kind.TRUST,
            MirrorEvent.Kind.UPDATED,
            MirrorEvent.Kind.TRUST);
    List<String> texts = new ArrayList<>();
    mirror.queries().follow(0, event -> texts.add(event.text()));
    assertThat(texts).contains("21.5", "revoked");
  }

  @Test
  void theAuditTrailContainsEveryDecisionWithItsActor() {
    MirrorFixture mirror =
        new MirrorFixture(
            folder,
            Domain.of("", TrustPolicy.FIRST_USE),
            Domain.of("careful", TrustPolicy.APPROVE));
    TestSigner first = new TestSigner();
    TestSigner next = new TestSigner();
    TestSigner other = new TestSigner();
    String id = mirror.registered(first, "mote-1", 1).substring(4);
    mirror.ask(
        Method.POST,
        "/ms",
        ContentFormat.JOSE,
        MirrorFixture.rotation(first, next, "mote-1", 2, ""));
    mirror.register(other, "mote-1", 3, "");
    mirror.operations().refuse(id, other.jkt(), "alice").join();
    mirror.register(other, "mote-1", 4, "");
    approve(mirror, id, other, "bob");
    mirror.register(new TestSigner(), "mote-2", 1, ",\"d\":\"careful\"");
    mirror.operations().revoke(other.jkt(), "carol").join();
    mirror.operations().listKeys("", List.of(ListedKey.of(next.jwk(), null)), "dave").join();
    mirror.operations().unlistKey("", next.jkt(), "erin").join();
    mirror.operations().recordAction("repaired something", "frank").join();
    mirror.restart();

    List<AuditEntry> trail = mirror.queries().audit(null, "", 0, 100);
    assertThat(trail.stream().map(entry -> entry.action() + " by " + entry.actor()))
        .containsExactly(
            "trusted on first use by mirror",
            "rotated from " + first.jkt() + " by mirror",
            "alarm: another key asks for the name by mirror",
            "refused by alice",
            "alarm: another key asks for the name by mirror",
            "approved in place of " + next.jkt() + " by bob",
            "held: waits for approval by mirror",
            "revoked by carol",
            "revoked by carol",
            "listed by dave",
            "no longer listed by erin",
            "repaired something by frank");
    assertThat(trail.getLast().ep()).isNull();
    assertThat(mirror.queries().auditNewestFirst(null, "", Long.MAX_VALUE, 100))
        .isEqualTo(trail.reversed());
    assertThat(mirror.queries().auditNewestFirst("mote-2", "careful", Long.MAX_VALUE, 100))
        .hasSize(1);
  }

  private static List<String> audit(MirrorFixture mirror, String ep) {
    return mirror.store.history(new EndpointName(ep, ""), StoreSlots.AUDIT, -1, 100).stream()
        .map(kept -> new String(kept.body(), UTF_8))
        .toList();
  }

  @Test
  void aRegistrationSignedByAnotherKeyIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    byte[] own = MirrorFixture.registration(mote, "mote-1", 1, "");
    String header = new String(own, UTF_8).split("\\.")[0];
    byte[] foreign =
        new TestSigner()
            .jws(
                new String(Base64.getUrlDecoder().decode(header), UTF_8),
                MirrorFixture.LINKS.getBytes(UTF_8));
    assertThat(Jws.parse(foreign).header().jwk()).isEqualTo(mote.jwk());
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, foreign).code().dotted())
        .isEqualTo("4.01");
    assertThat(mirror.store.size()).isZero();
  }
}
