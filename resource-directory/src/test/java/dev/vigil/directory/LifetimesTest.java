package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Code;
import dev.vigil.store.Fact;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Lifetimes, renewals and grace periods of registrations. */
class LifetimesTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

  @Test
  void lookupsHideExpiredRegistrationsThatCanStillBeRenewed() {
    String id = fixture.register("ep=a&lt=60", "</a>;rt=t");
    fixture.advance(Duration.ofMillis(59_999));
    assertThat(fixture.lookUp("/rd-lookup/res?rt=t")).isNotEmpty();
    fixture.advance(Duration.ofMillis(1));
    assertThat(fixture.lookUp("/rd-lookup/res?rt=t")).isEmpty();
    assertThat(fixture.lookUp("/rd-lookup/ep")).isEmpty();
    assertThat(fixture.ask("GET /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    fixture.directory.expire();
    assertThat(fixture.directory.size()).isZero();
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    assertThat(fixture.lookUp("/rd-lookup/res?rt=t")).isNotEmpty();
    fixture.advance(Duration.ofSeconds(60));
    fixture.directory.expire();
    assertThat(fixture.directory.size()).isZero();
  }

  @Test
  void removesFromTheStoreAfterTheGracePeriod() {
    String id = fixture.register("ep=a&lt=60", "</a>");
    fixture.advance(Duration.ofSeconds(60).plus(DirectoryFixture.CONFIG.grace()));
    fixture.directory.expire();
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    fixture.reopen(DirectoryFixture.CONFIG);
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
  }

  /** A registration whose removal failed, because the disk was full at the end of its grace. */
  private String registrationThatCouldNotBeRemoved() {
    String id = fixture.register("ep=a&lt=60", "</a>");
    fixture.advance(Duration.ofSeconds(120));
    fixture.store.full(true);
    fixture.directory.expire();
    assertThat(fixture.directory.registration(id)).isPresent();
    fixture.store.full(false);
    return id;
  }

  @Test
  void aRemovalThatFailedIsRepeatedAMinuteLater() {
    String id = registrationThatCouldNotBeRemoved();
    fixture.directory.expire();
    assertThat(fixture.directory.registration(id)).as("not before").isPresent();
    fixture.advance(Duration.ofMinutes(1));
    fixture.directory.expire();
    assertThat(fixture.directory.registration(id)).isEmpty();
  }

  @Test
  void aRegistrationRenewedAfterAFailedRemovalExpiresAgain() {
    String id = registrationThatCouldNotBeRemoved();
    fixture.advance(Duration.ofSeconds(10));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    fixture.advance(Duration.ofSeconds(59));
    int[] notified = new int[1];
    fixture.watch("/rd-lookup/res", () -> notified[0]++);
    fixture.directory.expire();
    assertThat(fixture.directory.size()).isEqualTo(1);
    fixture.advance(Duration.ofSeconds(1));
    fixture.directory.expire();
    assertThat(notified[0]).isEqualTo(1);
    assertThat(fixture.directory.size()).isZero();
  }

  @Test
  void theRemovalOfAnExpiredEntrySparesTheOneThatReplacedIt() {
    fixture.register("ep=a&lt=60", "</a>");
    fixture.advance(Duration.ofSeconds(120));
    fixture.store.hold();
    fixture.replace("a");
    fixture.directory.expire();
    fixture.store.release();
    assertThat(fixture.lookUp("/rd-lookup/ep?base=coap://fresh")).isNotEmpty();
  }

  @Test
  void aStrangersEntryOutlivesItsLifetimeOnceAtMost() {
    String id = fixture.register("ep=a&lt=60", "</a>");
    fixture.advance(Duration.ofSeconds(119));
    fixture.directory.expire();
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    fixture.advance(Duration.ofSeconds(120));
    fixture.directory.expire();
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
  }

  @Test
  void factsOfOtherSlotsHinderNeitherChangesNorExpiry() {
    String id = fixture.register("ep=a&lt=60", "</a>");
    fixture.submit("a", new Fact("note", 1, new byte[] {1}));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    fixture.submit("a", new Fact("note", 1, new byte[] {1}));
    fixture.advance(Duration.ofSeconds(60).plus(DirectoryFixture.CONFIG.grace()));
    fixture.directory.expire();
    fixture.reopen(DirectoryFixture.CONFIG);
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
  }

  @Test
  void theLastOfManyLifetimesCounts() {
    String id = fixture.register("ep=a&lt=1000", "</a>");
    for (int i = 0; i < 50; i++) {
      fixture.advance(Duration.ofSeconds(100));
      fixture.directory.expire();
      assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    }
    assertThat(fixture.ask("POST /rd/" + id + "?lt=5").code()).isEqualTo(Code.CHANGED);
    fixture.advance(Duration.ofSeconds(5));
    int[] notified = new int[1];
    fixture.watch("/rd-lookup/res", () -> notified[0]++);
    fixture.directory.expire();
    assertThat(notified[0]).isEqualTo(1);
    assertThat(fixture.directory.size()).isZero();
  }

  @Test
  void afterARestartTheRemainingLifetimeCounts() {
    String id = fixture.register("ep=a&d=s&lt=60&et=x", "</a>;rt=t");
    fixture.register("ep=b&lt=600", "</b>");
    fixture.advance(Duration.ofSeconds(50));
    String before = fixture.lookUp("/rd-lookup/res");
    fixture.reopen(DirectoryFixture.CONFIG);
    assertThat(fixture.lookUp("/rd-lookup/res")).isEqualTo(before);
    assertThat(fixture.lookUp("/rd-lookup/ep?et=x")).startsWith("</rd/" + id + ">;ep=a;d=s;");
    fixture.advance(Duration.ofSeconds(10));
    assertThat(fixture.lookUp("/rd-lookup/ep")).contains("ep=b").doesNotContain("ep=a");
  }
}
