package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.directory.publishing.Registrant;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of endpoints that others have registered in the directory itself. */
class NamesInTheDirectoryTest {
  @TempDir Path folder;

  /** Registers a name in the directory itself. */
  private static void registerInDirectory(MirrorFixture mirror, String ep, Registrant registrant) {
    registerInDirectory(mirror, ep, registrant, Registration.LONGEST_LIFETIME);
  }

  private static void registerInDirectory(
      MirrorFixture mirror, String ep, Registrant registrant, long lifetime) {
    long version =
        mirror.store.endpoint(new EndpointName(ep, "")).map(Store.Endpoint::version).orElse(0L);
    Registration direct =
        new Registration(
            new Registration.Direct("coap://[2001:db8::7]", true, registrant, "", false),
            lifetime,
            List.of(),
            List.of());
    mirror
        .store
        .submit(
            new Batch(
                new EndpointName(ep, ""),
                mirror.clock.instant(),
                OptionalLong.empty(),
                OptionalLong.of(version),
                List.of(direct.toFact())))
        .join();
  }

  private static EndpointView viewOf(MirrorFixture mirror, TestSigner mote, String ep) {
    String entry = mirror.registered(mote, ep, 1);
    return mirror.queries().endpoint(entry.substring(4)).orElseThrow();
  }

  @Test
  void aNameThatAnOwnerRegisteredInTheDirectoryIsHeld() {
    MirrorFixture mirror = new MirrorFixture(folder);
    registerInDirectory(mirror, "mote-1", new Registrant("psk:other", null, "", true));
    EndpointView view = viewOf(mirror, new TestSigner(), "mote-1");
    assertThat(view.state()).isEqualTo(TrustState.PENDING);
    assertThat(view.note()).contains("directory");
  }

  /** One datagram without Echo creates such an entry. */
  @Test
  void aStrangersDirectoryEntryKeepsNoMoteFromItsNameOnFirstUse() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.FIRST_USE));
    registerInDirectory(mirror, "mote-1", Registrant.UNKNOWN);
    TestSigner mote = new TestSigner();
    assertThat(viewOf(mirror, mote, "mote-1").state()).isEqualTo(TrustState.TRUSTED);
    List<Store.HistoryEntry> published =
        mirror.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 9);
    assertThat(Registration.fromFact(published.getFirst().body()).origin())
        .isEqualTo(new Registration.Published(mote.jkt()));
  }

  @Test
  void aListedKeyDisplacesAStrangersDirectoryEntryAtOnce() {
    TestSigner mote = new TestSigner();
    for (TrustPolicy trust : List.of(TrustPolicy.LISTED, TrustPolicy.FIRST_USE)) {
      MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", trust));
      mirror.operations().listKeys("", List.of(ListedKey.of(mote.jwk(), "mote-1")), "al").join();
      String owner = trust == TrustPolicy.LISTED ? "" : Registrant.ownerByRawKey("thrown-away");
      registerInDirectory(mirror, "mote-1", new Registrant(owner, null, "", false));
      assertThat(viewOf(mirror, mote, "mote-1").state()).isEqualTo(TrustState.TRUSTED);
      List<Store.HistoryEntry> published =
          mirror.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 9);
      assertThat(published).hasSize(1);
      assertThat(Registration.fromFact(published.getFirst().body()).origin())
          .isEqualTo(new Registration.Published(mote.jkt()));
    }
  }

  @Test
  void anEntryWithCredentialsHoldsAListedKeyToo() {
    TestSigner mote = new TestSigner();
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.LISTED));
    mirror.operations().listKeys("", List.of(ListedKey.of(mote.jwk(), null)), "al").join();
    registerInDirectory(mirror, "mote-1", new Registrant("psk:other", null, "", true));
    EndpointView view = viewOf(mirror, mote, "mote-1");
    assertThat(view.state()).isEqualTo(TrustState.PENDING);
    mirror.registered(mote, "mote-1", 2);
    assertThat(mirror.queries().endpoint(view.id()).orElseThrow().state())
        .as("its second registration waits too")
        .isEqualTo(TrustState.PENDING);
    requireDirectEntry(mirror);
  }

  private static void requireDirectEntry(MirrorFixture mirror) {
    List<Store.HistoryEntry> entries =
        mirror.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 9);
    assertThat(entries).hasSize(1);
    assertThat(Registration.fromFact(entries.getFirst().body()).origin())
        .isInstanceOf(Registration.Direct.class);
  }

  @Test
  void aKeyThatWaitsNeverRemovesTheDirectoryEntryOfAnOwner() {
    MirrorFixture mirror = new MirrorFixture(folder);
    registerInDirectory(mirror, "mote-1", new Registrant("psk:other", null, "", true));
    TestSigner stranger = new TestSigner();
    String id = viewOf(mirror, stranger, "mote-1").id();
    assertThat(mirror.register(stranger, "mote-1", 2, ",\"lt\":0").code().dotted())
        .as("it withdraws")
        .isEqualTo("2.01");
    requireDirectEntry(mirror);
    mirror.operations().refuse(id, stranger.jkt(), "alice").join();
    requireDirectEntry(mirror);
    TestSigner other = new TestSigner();
    mirror.registered(other, "mote-1", 1);
    mirror.operations().revoke(other.jkt(), "alice").join();
    requireDirectEntry(mirror);
    mirror.operations().forgetEndpoint(id, "alice").join();
    requireDirectEntry(mirror);
  }

  @Test
  void aReturningEndpointReplacesNoEntryWithCredentials() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String id = mirror.registered(mote, "mote-1", 1).substring(4);
    mirror.register(mote, "mote-1", 2, ",\"lt\":0");
    registerInDirectory(mirror, "mote-1", new Registrant("psk:other", null, "", true));

    assertThat(mirror.register(mote, "mote-1", 3, "").code().dotted()).isEqualTo("4.03");
    requireDirectEntry(mirror);
    TestSigner fresh = new TestSigner();
    byte[] rotation = MirrorFixture.rotation(mote, fresh, "mote-1", 4, "");
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, rotation).code().dotted())
        .isEqualTo("4.03");
    requireDirectEntry(mirror);
    assertThat(mirror.register(mote, "mote-1", 5, ",\"lt\":0").code().dotted())
        .as("it withdraws again")
        .isEqualTo("2.01");
    requireDirectEntry(mirror);
    mirror.operations().revoke(mote.jkt(), "alice").join();
    requireDirectEntry(mirror);
    mirror.operations().forgetEndpoint(id, "alice").join();
    requireDirectEntry(mirror);
  }

  @Test
  void anOwnersEntryHoldsANameUntilItsLifetimeEnds() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    mirror.registered(mote, "mote-1", 1);
    mirror.register(mote, "mote-1", 2, ",\"lt\":0");
    Registrant owner = new Registrant("psk:other", null, "", true);
    registerInDirectory(mirror, "mote-1", owner, 60);
    registerInDirectory(mirror, "mote-2", owner, 60);

    mirror.clock.forward(Duration.ofSeconds(59));
    assertThat(mirror.register(mote, "mote-1", 3, "").code().dotted()).isEqualTo("4.03");
    mirror.clock.forward(Duration.ofSeconds(1));
    assertThat(mirror.register(mote, "mote-1", 4, "").code().dotted()).isEqualTo("2.01");
    assertThat(viewOf(mirror, new TestSigner(), "mote-2").state()).isEqualTo(TrustState.TRUSTED);
  }

  @Test
  void anExpiredEndpointReplacesAStrangersEntryOnly() {
    MirrorFixture mirror = new MirrorFixture(folder, TestDomain.nameless().endpoints(1).build());
    TestSigner mote = new TestSigner();
    mirror.register(mote, "mote-1", 1, ",\"lt\":60");
    mirror.clock.forward(Duration.ofMinutes(2));
    registerInDirectory(mirror, "mote-1", Registrant.UNKNOWN);
    assertThat(mirror.register(mote, "mote-1", 2, ",\"lt\":60").code().dotted()).isEqualTo("2.01");
    mirror.clock.forward(Duration.ofMinutes(2));
    registerInDirectory(mirror, "mote-1", new Registrant("psk:other", null, "", true));
    assertThat(mirror.register(mote, "mote-1", 3, "").code().dotted()).isEqualTo("4.03");

    mirror.registered(new TestSigner(), "mote-2", 1);
    assertThat(mirror.queries().endpoints()).extracting(EndpointView::ep).containsExactly("mote-2");
    requireDirectEntry(mirror);
  }
}
