package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of a revoked key, and the keys that ask for them afterwards. */
class RevocationTest {
  private static final String CAREFUL = "careful";

  private final TestSigner commander = new TestSigner();
  private final TestSigner mote = new TestSigner();
  private final TestSigner next = new TestSigner();
  private final MirrorFixture mirror;

  RevocationTest(@TempDir Path folder) {
    mirror =
        new MirrorFixture(
            folder,
            TestDomain.nameless().commandedBy(commander.jwk().json()).build(),
            Domain.of(CAREFUL, TrustPolicy.APPROVE),
            Domain.of("listed", TrustPolicy.LISTED));
  }

  private static String id(String entry) {
    return entry.substring("/ms/".length());
  }

  private EndpointView view(String entry) {
    return mirror.queries().endpoint(id(entry)).orElseThrow();
  }

  private void revoke(TestSigner key) {
    mirror.operations().revoke(key.jkt(), "alice").join();
  }

  private boolean isPublished(String ep) {
    return !mirror.store.history(new EndpointName(ep, ""), Registration.SLOT, -1, 1).isEmpty();
  }

  private TrustState stored(String ep) {
    return KeyHistory.read(
            mirror.store.history(new EndpointName(ep, ""), StoreSlots.KEY, -1, 1).getLast().body())
        .state();
  }

  /** Revokes a key as a gateway does that crashes before it has changed the key's endpoints. */
  private void revokeHalf(TestSigner key) {
    mirror
        .store
        .submit(
            new Batch(
                new EndpointName(StoreSlots.TRUST, ""),
                MirrorFixture.START,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(new Fact(StoreSlots.REVOKED + key.jkt(), 1, "{}".getBytes(UTF_8)))))
        .join();
  }

  /** Two names that trust the same key. */
  @Nested
  class TwoNames {
    private final String first = mirror.registered(mote, "mote-1", 1);
    private final String second = mirror.registered(mote, "mote-2", 2);

    TwoNames() {
      mirror.operations().approve(mote.jkt(), id(second), List.of(""), "alice").join();
    }

    @Test
    void aRevocationUnpublishesEachOfThem() {
      assertThat(isPublished("mote-1") && isPublished("mote-2")).isTrue();
      revoke(mote);
      requireUnpublished("mote-1");
      requireUnpublished("mote-2");
      byte[] command = MirrorFixture.command(commander, "mote-1", 7, "");
      assertThat(mirror.put(first + "/led", command).code().dotted()).isEqualTo("4.03");
    }

    private void requireUnpublished(String ep) {
      assertThat(isPublished(ep)).as(ep).isFalse();
      assertThat(stored(ep)).as(ep).isEqualTo(TrustState.REVOKED);
    }

    @Test
    void aNameThatHasRotatedToAnotherKeyStaysPublished() {
      byte[] rotation = MirrorFixture.rotation(mote, next, "mote-2", 3, "");
      assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, rotation).code().dotted())
          .isEqualTo("2.01");
      revoke(mote);
      requireUnpublished("mote-1");
      assertThat(isPublished("mote-2")).isTrue();
      assertThat(stored("mote-2")).isEqualTo(TrustState.TRUSTED);
    }

    @Test
    void aStartCompletesARevocationOfBoth() {
      revokeHalf(mote);
      mirror.restart();
      requireUnpublished("mote-1");
      requireUnpublished("mote-2");
    }
  }

  @Test
  void theNextKeyOfANameThatIsStillPublishedUnpublishesIt() {
    String entry = mirror.registered(mote, "mote-1", 1);
    revokeHalf(mote);
    mirror.registered(next, "mote-1", 2);
    assertThat(view(entry).state()).isEqualTo(TrustState.PENDING);
    assertThat(isPublished("mote-1")).isFalse();
  }

  @Test
  void aListedKeyWaitsAtEachRegistrationAfterARevocation() {
    mirror
        .operations()
        .listKeys(
            "listed", List.of(ListedKey.of(mote.jwk(), null), ListedKey.of(next.jwk(), null)), "al")
        .join();
    String d = ",\"d\":\"listed\"";
    String entry = MirrorFixture.entry(mirror.register(mote, "mote-1", 1, d));
    assertThat(view(entry).state()).isEqualTo(TrustState.TRUSTED);
    revoke(mote);
    for (int seq = 2; seq < 5; seq++) {
      assertThat(mirror.register(next, "mote-1", seq, d).code().dotted()).isEqualTo("2.01");
      assertThat(view(entry).state()).isEqualTo(TrustState.PENDING);
    }
    mirror.operations().approve(next.jkt(), id(entry), List.of("listed"), "alice").join();
    assertThat(view(entry).state()).isEqualTo(TrustState.TRUSTED);
  }

  /** A name with a value whose key is revoked, and for which the next key waits. */
  @Nested
  class NextKey {
    private final String entry = mirror.registered(mote, "mote-1", 1);
    private final byte[] registration = MirrorFixture.registration(next, "mote-1", 10, "");

    NextKey() {
      mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
      revoke(mote);
      register();
    }

    private void register() {
      mirror.clock.forward(Duration.ofSeconds(1));
      assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, registration).code().dotted())
          .isEqualTo("2.01");
      assertThat(view(entry).state()).isEqualTo(TrustState.PENDING);
      assertThat(view(entry).jkt()).isEqualTo(next.jkt());
    }

    private void requireFormerKey() {
      assertThat(view(entry).jkt()).isEqualTo(mote.jkt());
      assertThat(view(entry).state()).isEqualTo(TrustState.REVOKED);
      assertThat(view(entry).waiting()).isEmpty();
      assertThat(view(entry).high()).isEqualTo(2);
      assertThat(mirror.queries().archivedValues(id(entry), "temp", 0, 9))
          .extracting(ArchivedValue::seq)
          .containsExactly(2L);
      assertThat(mirror.get(entry + "/temp").code().isSuccess()).as("served").isFalse();
    }

    @Test
    void itsRefusalKeepsTheArchiveAndHoldsTheKeyAfterIt() {
      mirror.operations().refuse(id(entry), next.jkt(), "alice").join();
      requireFormerKey();
      mirror.restart();
      requireFormerKey();
      register();
      mirror.operations().refuse(id(entry), next.jkt(), "alice").join();
      requireFormerKey();
      TestSigner third = new TestSigner();
      assertThat(mirror.registered(third, "mote-1", 1)).isEqualTo(entry);
      assertThat(view(entry).jkt()).isEqualTo(third.jkt());
      assertThat(view(entry).state()).as("trust on first use").isEqualTo(TrustState.PENDING);
      mirror.operations().approve(third.jkt(), id(entry), List.of(""), "alice").join();
      assertThat(view(entry).state()).isEqualTo(TrustState.TRUSTED);
      assertThat(mirror.queries().archivedValues(id(entry), "temp", 0, 9)).hasSize(1);
    }

    @Test
    void theLossOfItsPlaceKeepsTheArchiveAndHoldsTheKeyAfterIt() {
      mirror.operations().refuse(id(entry), next.jkt(), "alice").join();
      mirror.register(new TestSigner(), "early", 1, ",\"d\":\"" + CAREFUL + "\"");
      register();
      mirror.restartWithWaitingPlaces(1);
      requireFormerKey();
      assertThat(mirror.queries().counts().waitingPlaces()).isEqualTo(1);
      mirror.restartWithWaitingPlaces(9);
      TestSigner third = new TestSigner();
      mirror.registered(third, "mote-1", 1);
      assertThat(view(entry).jkt()).isEqualTo(third.jkt());
      assertThat(view(entry).state()).isEqualTo(TrustState.PENDING);
    }

    @Test
    void itsRefusalGivesTheNameToTheOldestOtherKeyThatWaits() {
      TestSigner third = new TestSigner();
      assertThat(mirror.register(third, "mote-1", 1, "").code().dotted()).isEqualTo("4.03");
      mirror.operations().refuse(id(entry), next.jkt(), "alice").join();
      assertThat(view(entry).jkt()).isEqualTo(third.jkt());
      assertThat(view(entry).state()).isEqualTo(TrustState.PENDING);
      mirror.operations().refuse(id(entry), third.jkt(), "alice").join();
      requireFormerKey();
    }
  }
}
