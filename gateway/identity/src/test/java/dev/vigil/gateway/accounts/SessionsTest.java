package dev.vigil.gateway.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private final MemoryStore store = new MemoryStore();
  private final SettableClock clock = new SettableClock();
  private final Site site = new Site(store, clock);

  private String open() {
    return site.open("ann", "Browser\n1");
  }

  @Test
  void aSessionEndsWithoutRequests() {
    String session = open();
    for (int i = 0; i < 5; i++) {
      clock.pass(Duration.ofMinutes(29));
      assertThat(site.sessions.use(session)).isPresent();
    }
    clock.pass(Duration.ofMinutes(31));
    assertThat(site.sessions.use(session)).isEmpty();
  }

  @Test
  void aSessionEndsHalfADayAfterTheSignInEvenIfUsed() {
    String session = open();
    for (int i = 0; i < 71; i++) {
      clock.pass(Duration.ofMinutes(10));
      assertThat(site.sessions.use(session)).as("after %d", i).isPresent();
    }
    clock.pass(Duration.ofMinutes(10));
    assertThat(site.sessions.use(session)).isEmpty();
  }

  @Test
  void lookingAtASessionDoesNotProlongIt() {
    String session = open();
    clock.pass(Duration.ofMinutes(20));
    assertThat(site.sessions.find(session)).isPresent();
    assertThat(site.sessions.list("ann"::equals)).hasSize(1);
    clock.pass(Duration.ofMinutes(20));
    assertThat(site.sessions.find(session)).isEmpty();
  }

  @Test
  void aRestartAndOtherGatewaysKnowTheSessionsInUse() {
    String session = open();
    clock.pass(Duration.ofMinutes(20));
    assertThat(site.sessions.use(session)).isPresent();
    Site other = new Site(store, clock);
    clock.pass(Duration.ofMinutes(20));
    assertThat(other.sessions.use(session)).isPresent();
  }

  @Test
  void theStoreContainsOnlyTheHash() {
    String session = open();
    assertThat(site.sessions.byId(session)).isEmpty();
    assertThat(site.sessions.byId(Secrets.hash(session)))
        .hasValueSatisfying(record -> assertThat(record.value().client()).isEqualTo("Browser?1"));
  }

  @Test
  void theSeventeenthSessionEndsTheLeastRecentlyUsedOne() {
    String first = open();
    clock.pass(Duration.ofSeconds(1));
    String second = open();
    for (int i = 0; i < 14; i++) {
      clock.pass(Duration.ofSeconds(1));
      open();
    }
    clock.pass(Duration.ofMinutes(1));
    site.sessions.use(first);
    String other = site.open("bob", null);
    open();
    assertThat(site.sessions.find(second)).isEmpty();
    assertThat(site.sessions.find(first)).isPresent();
    assertThat(site.sessions.find(other)).isPresent();
    assertThat(site.sessions.list("ann"::equals)).hasSize(16);
  }

  @Test
  void aSignInReplacesTheSessionThatItPresentsAndNoOther() {
    String own = open();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      clock.pass(Duration.ofSeconds(1));
      others.add(open());
    }
    for (int i = 0; i < 20; i++) {
      String next = site.sessions.open("ann", "none", "", Site.from(Site.SOURCE, own));
      assertThat(site.sessions.find(own)).isEmpty();
      own = next;
    }
    assertThat(site.sessions.find(own)).isPresent();
    assertThat(others).allSatisfy(other -> assertThat(site.sessions.find(other)).isPresent());
  }

  @Test
  void sessionsThatAPersonEndsAreReportedAndExpiredOnesAreNot() {
    List<Sessions.Ending> endings = new ArrayList<>();
    site.sessions.onEnd(endings::add);
    String own = open();
    site.sessions.end(site.sessions.find(own).orElseThrow());
    assertThat(endings).containsExactly(new Sessions.Ending("ann", Secrets.hash(own)));
    endings.clear();

    String replaced = open();
    String same = site.sessions.open("ann", "none", "", Site.from(Site.SOURCE, replaced));
    assertThat(endings).isEmpty();
    site.sessions.open("bob", "none", "", Site.from(Site.SOURCE, same));
    assertThat(endings).containsExactly(new Sessions.Ending("ann", Secrets.hash(same)));
    endings.clear();

    site.sessions.endAll("bob");
    assertThat(endings).containsExactly(new Sessions.Ending("bob", null));
    endings.clear();
    open();
    clock.pass(Duration.ofDays(1));
    open();
    assertThat(endings).isEmpty();
  }

  @Test
  void aSignInToAnotherAccountReplacesThePresentedSessionToo() {
    String own = open();
    String next = site.sessions.open("bob", "none", "", Site.from(Site.SOURCE, own));
    assertThat(site.sessions.find(own)).isEmpty();
    assertThat(site.sessions.find(next)).isPresent();
  }
}
