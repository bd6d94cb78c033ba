package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustTest {
  @TempDir Path folder;

  @Test
  void aKeyThatWaitsForApprovalIsNeitherServedNorPublishedBefore() {
    World world = new World(folder, Domain.of("", TrustPolicy.APPROVE));
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 5);
    String id = entry.substring(4);

    Response held = world.put(entry + "/temp", World.update(mote, "temp", 6));
    assertThat(held.code().dotted()).isEqualTo("4.03");
    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    assertThat(world.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1))
        .isEmpty();

    assertThat(world.mirror.approve(id, mote.jkt(), "alice").join().state())
        .isEqualTo(TrustState.TRUSTED);

    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 6)).code().dotted())
        .isEqualTo("2.01");
    assertThat(world.mirror.endpoint(id).orElseThrow().high()).isEqualTo(6);
    assertThat(audit(world, "mote-1")).anyMatch(a -> a.contains("approved") && a.contains("alice"));
    assertThatThrownBy(() -> world.mirror.approve(id, mote.jkt(), "alice").join())
        .hasMessageContaining("nothing waits");
  }

  @Test
  void aRefusedNameIsFreeAgain() {
    World world = new World(folder, Domain.of("", TrustPolicy.APPROVE));
    Signer squatter = new Signer();
    String entry = world.registered(squatter, "mote-1", 1L << 31);
    world.mirror.refuse(entry.substring(4), squatter.jkt(), "alice").join();
    assertThat(world.mirror.endpoints()).isEmpty();
    Signer real = new Signer();
    String id = world.registered(real, "mote-1", 1).substring(4);
    world.mirror.approve(id, real.jkt(), "alice").join();
    assertThat(world.mirror.endpoints().getFirst().high())
        .as("a key nobody trusted does not move H")
        .isEqualTo(1);
  }

  @Test
  void onlyListedKeysAreTrustedWhereTheDomainSaysSo() {
    World world = new World(folder, Domain.of("", TrustPolicy.LISTED));
    Signer mote = new Signer();
    assertThat(world.register(mote, "mote-1", 1, "").code().dotted()).isEqualTo("4.03");
    assertThat(world.store.size()).as("nothing is left behind").isZero();
    world.mirror.list("", List.of(ListedKey.of(mote.jwk(), null)), "alice").join();
    world.restart();
    assertThat(world.register(mote, "mote-1", 1, "").code().dotted()).isEqualTo("2.01");
  }

  @Test
  void aListedKeyMayBeForOneNameOnlyAndKnownByItsThumbprintAlone() {
    World world = new World(folder, Domain.of("", TrustPolicy.LISTED));
    Signer bound = new Signer();
    Signer labelled = new Signer();
    world
        .mirror
        .list(
            "",
            List.of(ListedKey.of(bound.jwk(), "mote-1"), new ListedKey(labelled.jkt(), null, null)),
            "alice")
        .join();
    world.restart();
    assertThat(world.register(bound, "mote-2", 1, "").code().dotted()).isEqualTo("4.03");
    assertThat(world.register(bound, "mote-1", 1, "").code().dotted()).isEqualTo("2.01");
    assertThat(world.register(labelled, "mote-3", 1, "").code().dotted()).isEqualTo("2.01");
    Signer late = new Signer();
    world.mirror.list("", List.of(ListedKey.of(late.jwk(), null)), "alice").join();
    world.mirror.unlist("", late.jkt(), "alice").join();
    assertThat(world.register(late, "mote-4", 1, "").code().dotted()).isEqualTo("4.03");
  }

  @Test
  void onlyTheKeyThatWasLookedAtIsApproved() {
    World world = new World(folder);
    Signer old = new Signer();
    Signer first = new Signer();
    Signer second = new Signer();
    String id = world.registered(old, "mote-1", 1).substring(4);
    world.register(first, "mote-1", 10, "");
    world.mirror.refuse(id, first.jkt(), "alice").join();
    world.register(second, "mote-1", 11, "");
    assertThatThrownBy(() -> world.mirror.approve(id, first.jkt(), "bob").join())
        .hasMessageContaining(second.jkt());
    assertThat(world.keys())
        .filteredOn(KeyView::held)
        .extracting(KeyView::jkt)
        .containsExactly(second.jkt());
    assertThat(world.mirror.endpoint(id).orElseThrow().jkt()).isEqualTo(old.jkt());
  }

  @Test
  void anotherKeyForAKnownNameIsHeldAndTheOldOneStaysValid() {
    World world = new World(folder);
    Signer mote = new Signer();
    Signer thief = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));

    Response refused = world.register(thief, "mote-1", 1000, "");

    assertThat(refused.code().dotted()).isEqualTo("4.03");
    EndpointView view = world.mirror.endpoint(entry.substring(4)).orElseThrow();
    assertThat(view.heldJkt()).isEqualTo(thief.jkt());
    assertThat(view.jkt()).isEqualTo(mote.jkt());
    assertThat(view.high()).as("the held one moves no number").isEqualTo(2);
    assertThat(audit(world, "mote-1")).anyMatch(a -> a.contains("alarm"));
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("2.04");
    assertThat(world.put(entry + "/temp", World.update(thief, "temp", 4)).code().dotted())
        .isEqualTo("4.01");
    assertThat(world.register(new Signer(), "mote-1", 1001, "").code().dotted()).isEqualTo("4.03");
    assertThat(world.mirror.endpoint(entry.substring(4)).orElseThrow().heldJkt())
        .as("one is held, not the last")
        .isEqualTo(thief.jkt());
  }

  @Test
  void anApprovedNewKeyReplacesTheOldOneWhoseValuesStayVerifiable() {
    World world = new World(folder);
    Signer old = new Signer();
    Signer fresh = new Signer();
    String entry = world.registered(old, "mote-1", 1);
    world.put(entry + "/temp", World.update(old, "temp", 2));
    world.register(fresh, "mote-1", 10, "");

    world.mirror.approve(entry.substring(4), fresh.jkt(), "alice").join();

    assertThat(world.get("/keys/" + old.jkt()).code().dotted()).isEqualTo("2.05");
    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("2.05");
    assertThat(world.put(entry + "/temp", World.update(old, "temp", 11)).code().dotted())
        .isEqualTo("4.01");
    assertThat(world.put(entry + "/temp", World.update(fresh, "temp", 11)).code().dotted())
        .isEqualTo("2.04");
    assertThat(world.keys())
        .extracting(KeyView::jkt, KeyView::state)
        .contains(
            org.assertj.core.groups.Tuple.tuple(old.jkt(), TrustState.REPLACED),
            org.assertj.core.groups.Tuple.tuple(fresh.jkt(), TrustState.TRUSTED));
  }

  @Test
  void aRotationSignedByTheOldKeyTakesEffectAtOnceOrIsHeldAsTheDomainSays() {
    World world =
        new World(
            folder,
            TestDomain.nameless().build(),
            TestDomain.named("careful").holdingRotations().build());
    Signer old = new Signer();
    Signer fresh = new Signer();
    String entry = world.registered(old, "mote-1", 1);
    Response done =
        world.ask(Method.POST, "/ms", ContentFormat.JOSE, rotation(old, fresh, "mote-1", 2, ""));
    assertThat(done.code().dotted()).isEqualTo("2.01");
    assertThat(world.mirror.endpoint(entry.substring(4)).orElseThrow().jkt())
        .isEqualTo(fresh.jkt());

    Signer other = new Signer();
    Signer next = new Signer();
    world.register(other, "mote-2", 1, ",\"d\":\"careful\"");
    Response held =
        world.ask(
            Method.POST,
            "/ms",
            ContentFormat.JOSE,
            rotation(other, next, "mote-2", 2, ",\"d\":\"careful\""));
    assertThat(held.code().dotted()).isEqualTo("4.03");
    assertThat(world.mirror.endpoints().getLast().heldJkt()).isEqualTo(next.jkt());
  }

  @Test
  void aRotationThatTheOldKeyDidNotSignIsRefused() {
    World world = new World(folder);
    Signer old = new Signer();
    Signer thief = new Signer();
    world.registered(old, "mote-1", 1);
    byte[] inner = World.registration(thief, "mote-1", 2, "");
    byte[] forged =
        thief.jws(
            "{\"alg\":\"ES256\",\"typ\":\"vigil-rotate\",\"cty\":\"jose\",\"kid\":\"%s\",\"seq\":2}"
                .formatted(old.jkt()),
            inner);
    assertThat(world.ask(Method.POST, "/ms", ContentFormat.JOSE, forged).code().dotted())
        .isEqualTo("4.01");
    assertThat(world.mirror.endpoints().getFirst().jkt()).isEqualTo(old.jkt());
  }

  private static byte[] rotation(Signer old, Signer fresh, String ep, long seq, String more) {
    return old.jws(
        "{\"alg\":\"ES256\",\"typ\":\"vigil-rotate\",\"cty\":\"jose\",\"kid\":\"%s\",\"seq\":%d}"
            .formatted(old.jkt(), seq),
        World.registration(fresh, ep, seq, more));
  }

  @Test
  void aRevokedKeyIsRevokedUnderEveryNameAndAfterARestart() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));

    world.mirror.revoke(mote.jkt(), "alice").join();
    world.restart();

    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("4.03");
    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("4.03");
    assertThat(world.register(mote, "mote-9", 1, "").code().dotted()).isEqualTo("4.03");
    EndpointView view = world.mirror.endpoint(entry.substring(4)).orElseThrow();
    assertThat(view.state()).isEqualTo(TrustState.REVOKED);
    assertThat(view.resources().getFirst().marks()).contains(Mark.REVOKED);
    assertThat(
            world
                .store
                .history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1)
                .getLast()
                .body())
        .as("out of the directory")
        .isEmpty();
    Signer fresh = new Signer();
    assertThat(world.register(fresh, "mote-1", 10, "").code().dotted()).isEqualTo("2.01");
    assertThat(world.mirror.endpoint(entry.substring(4)).orElseThrow().state())
        .as("the next key of the name is an operator's matter")
        .isEqualTo(TrustState.PENDING);
  }

  @Test
  void aKeyKnownUnderAnotherNameIsHeld() {
    World world = new World(folder);
    Signer mote = new Signer();
    world.registered(mote, "mote-1", 1);
    String second = world.registered(mote, "mote-2", 2);
    EndpointView view = world.mirror.endpoint(second.substring(4)).orElseThrow();
    assertThat(view.state()).isEqualTo(TrustState.PENDING);
    assertThat(view.note()).contains("mote-1");
  }

  @Test
  void followersSeeRegistrationsUpdatesAndTrustInOrder() {
    World world = new World(folder);
    List<MirrorEvent.Kind> kinds = new java.util.ArrayList<>();
    world.mirror.follow(0, event -> kinds.add(event.kind()));
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));
    world.mirror.revoke(mote.jkt(), "alice").join();
    assertThat(kinds)
        .startsWith(
            MirrorEvent.Kind.REGISTERED,
            MirrorEvent.Kind.TRUST,
            MirrorEvent.Kind.UPDATED,
            MirrorEvent.Kind.TRUST);
    List<String> texts = new java.util.ArrayList<>();
    world.mirror.follow(0, event -> texts.add(event.text()));
    assertThat(texts).contains("21.5", "revoked");
  }

  @Test
  void everyDecisionAboutKeysIsInTheTrailWithWhoTookIt() {
    World world =
        new World(
            folder,
            Domain.of("", TrustPolicy.FIRST_USE),
            Domain.of("careful", TrustPolicy.APPROVE));
    Signer first = new Signer();
    Signer next = new Signer();
    Signer other = new Signer();
    String id = world.registered(first, "mote-1", 1).substring(4);
    world.ask(Method.POST, "/ms", ContentFormat.JOSE, rotation(first, next, "mote-1", 2, ""));
    world.register(other, "mote-1", 3, "");
    world.mirror.refuse(id, other.jkt(), "alice").join();
    world.register(other, "mote-1", 4, "");
    world.mirror.approve(id, other.jkt(), "bob").join();
    world.register(new Signer(), "mote-2", 1, ",\"d\":\"careful\"");
    world.mirror.revoke(other.jkt(), "carol").join();
    world.mirror.list("", List.of(ListedKey.of(next.jwk(), null)), "dave").join();
    world.mirror.unlist("", next.jkt(), "erin").join();
    world.mirror.note("repaired something", "frank").join();
    world.restart();

    List<Decision> trail = world.mirror.audit(null, "", 0, 100);
    assertThat(trail.stream().map(d -> d.what() + " by " + d.by()))
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
    assertThat(world.mirror.auditBack(null, "", Long.MAX_VALUE, 100)).isEqualTo(trail.reversed());
    assertThat(world.mirror.auditBack("mote-2", "careful", Long.MAX_VALUE, 100)).hasSize(1);
  }

  private static List<String> audit(World world, String ep) {
    return world.store.history(new EndpointName(ep, ""), Slots.AUDIT, -1, 100).stream()
        .map(kept -> new String(kept.body(), UTF_8))
        .toList();
  }

  @Test
  void aRegistrationUnderAForeignSignatureIsRefused() {
    World world = new World(folder);
    Signer mote = new Signer();
    byte[] own = World.registration(mote, "mote-1", 1, "");
    String header = new String(own, UTF_8).split("\\.")[0];
    byte[] foreign =
        new Signer()
            .jws(
                new String(java.util.Base64.getUrlDecoder().decode(header), UTF_8),
                World.LINKS.getBytes(UTF_8));
    assertThat(Jws.parse(foreign).header().jwk()).isEqualTo(mote.jwk());
    assertThat(world.ask(Method.POST, "/ms", ContentFormat.JOSE, foreign).code().dotted())
        .isEqualTo("4.01");
    assertThat(world.store.size()).isZero();
  }
}
