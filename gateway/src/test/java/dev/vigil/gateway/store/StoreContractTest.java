package dev.vigil.gateway.store;

import static dev.vigil.gateway.store.Given.NOON;
import static dev.vigil.gateway.store.Given.fact;
import static dev.vigil.gateway.store.Given.feed;
import static dev.vigil.gateway.store.Given.history;
import static dev.vigil.gateway.store.Given.land;
import static dev.vigil.gateway.store.Given.mote;
import static dev.vigil.gateway.store.Given.numbered;
import static dev.vigil.gateway.store.Given.onVersion;
import static dev.vigil.gateway.store.Given.outcome;
import static dev.vigil.gateway.store.Given.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link Store} promises to one thread; every adapter has to pass. */
abstract class StoreContractTest {
  static final EndpointName MOTE = mote("mote-1");

  Store store = Unopened.STORE;

  /** Opens the store of this test, with whatever an earlier opening left in it. */
  abstract Store open();

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  void reopen() {
    store.close();
    store = open();
  }

  @Test
  void aLandedBatchTellsItsChange() {
    Change change = land(store, numbered(MOTE, 7, fact("key", 1, "k"), fact("ms", 1, "m")));
    assertThat(change.position()).isEqualTo(1);
    assertThat(change.endpoint()).isEqualTo(MOTE);
    assertThat(change.at()).isEqualTo(NOON);
    assertThat(change.high()).isEqualTo(7);
    assertThat(change.version()).isEqualTo(1);
    assertThat(change.facts()).extracting(Fact::slot).containsExactly("key", "ms");
    assertThat(store.endpoint(MOTE)).contains(new Store.Endpoint(change.id(), MOTE, 7, 1));
  }

  @Test
  void positionsCountUp() {
    long first = land(store, plain(MOTE, fact("rd", 1, "a"))).position();
    long second = land(store, plain(mote("mote-2"), fact("rd", 1, "a"))).position();
    assertThat(second).isGreaterThan(first);
  }

  @Test
  void anEndpointKeepsItsShortIdForEver() {
    String id = land(store, plain(MOTE, fact("rd", 1, "a"))).id();
    land(store, plain(MOTE, Fact.none("rd")));
    reopen();
    assertThat(land(store, plain(MOTE, fact("rd", 1, "b"))).id()).isEqualTo(id);
    assertThat(id).matches("[0-9a-z]{1,3}");
  }

  @Test
  void noTwoEndpointsShareAnId() {
    Set<String> ids = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 40; i++) {
      ids.add(land(store, plain(mote("mote-" + i), fact("rd", 1, "a"))).id());
      if (i == 20) {
        reopen();
      }
    }
    assertThat(ids).hasSize(40);
  }

  @Test
  void theSameNameInAnotherDomainIsAnotherEndpoint() {
    EndpointName other = new EndpointName("mote-1", "plant");
    land(store, numbered(MOTE, 5, fact("rd", 1, "a")));
    Change change = land(store, numbered(other, 1, fact("rd", 1, "b")));
    assertThat(change.version()).isEqualTo(1);
    assertThat(history(store, MOTE, "rd")).containsExactly("a");
    assertThat(history(store, other, "rd")).containsExactly("b");
  }

  @Test
  void nothingIsKnownOfAnUnknownEndpoint() {
    assertThat(store.endpoint(MOTE)).isEmpty();
    assertThat(store.history(MOTE, "rd", -1, 10)).isEmpty();
    assertThat(feed(store, 0)).isEmpty();
  }

  @Test
  void aNumberThatIsNotHigherChangesNothing() {
    land(store, numbered(MOTE, 10, fact("ms", 1, "ten")));
    for (long used : new long[] {10, 9, 1, 0, -1}) {
      assertThat(outcome(store, numbered(MOTE, used, fact("ms", 1, "bad"), fact("x", 1, "bad"))))
          .isEqualTo(new Outcome.SequenceUsed(10));
    }
    assertThat(history(store, MOTE, "ms")).containsExactly("ten");
    assertThat(history(store, MOTE, "x")).isEmpty();
    assertThat(store.endpoint(MOTE)).get().extracting(Store.Endpoint::version).isEqualTo(1L);
    assertThat(feed(store, 0)).hasSize(1);
  }

  @Test
  void theFirstNumberIsAboveZero() {
    assertThat(outcome(store, numbered(MOTE, 0, fact("ms", 1, "a"))))
        .isEqualTo(new Outcome.SequenceUsed(0));
    assertThat(store.endpoint(MOTE)).isEmpty();
    assertThat(land(store, numbered(MOTE, 1, fact("ms", 1, "a"))).high()).isEqualTo(1);
  }

  @Test
  void theHighestNumberOfTheProtocolLands() {
    long highest = (1L << 53) - 1;
    assertThat(land(store, numbered(MOTE, highest, fact("ms", 1, "a"))).high()).isEqualTo(highest);
    assertThat(outcome(store, numbered(MOTE, highest, fact("ms", 1, "b"))))
        .isEqualTo(new Outcome.SequenceUsed(highest));
  }

  @Test
  void aBatchWithoutNumberLeavesTheHighestNumberAsItIs() {
    land(store, numbered(MOTE, 10, fact("ms", 1, "a")));
    assertThat(land(store, plain(MOTE, fact("rd", 1, "b"))).high()).isEqualTo(10);
    assertThat(outcome(store, numbered(MOTE, 10, fact("ms", 1, "c"))))
        .isEqualTo(new Outcome.SequenceUsed(10));
  }

  @Test
  void aBatchDecidedOnAnOldVersionChangesNothing() {
    land(store, plain(MOTE, fact("rd", 1, "one")));
    land(store, onVersion(MOTE, 1, fact("rd", 1, "two")));
    assertThat(outcome(store, onVersion(MOTE, 1, fact("rd", 1, "three"))))
        .isEqualTo(new Outcome.VersionMoved(2));
    assertThat(history(store, MOTE, "rd")).containsExactly("two");
  }

  @Test
  void versionZeroStandsForAnEndpointThatDoesNotExist() {
    assertThat(outcome(store, onVersion(MOTE, 3, fact("rd", 1, "a"))))
        .isEqualTo(new Outcome.VersionMoved(0));
    assertThat(land(store, onVersion(MOTE, 0, fact("rd", 1, "a"))).version()).isEqualTo(1);
    assertThat(outcome(store, onVersion(MOTE, 0, fact("rd", 1, "b"))))
        .isEqualTo(new Outcome.VersionMoved(1));
  }

  @Test
  void aSlotKeepsWhatItsNewestFactSays() {
    for (int i = 1; i <= 5; i++) {
      land(store, numbered(MOTE, i, fact("last", 1, "v" + i), fact("three", 3, "v" + i)));
      land(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "v" + i)));
    }
    assertThat(history(store, MOTE, "last")).containsExactly("v5");
    assertThat(history(store, MOTE, "three")).containsExactly("v3", "v4", "v5");
    assertThat(history(store, MOTE, "audit")).hasSize(5);
    land(store, plain(MOTE, fact("three", 2, "v6")));
    assertThat(history(store, MOTE, "three")).containsExactly("v5", "v6");
    land(store, plain(MOTE, fact("three", 3, "v7")));
    assertThat(history(store, MOTE, "three")).containsExactly("v5", "v6", "v7");
  }

  @Test
  void anEmptiedSlotIsEmptyAndFillsAgain() {
    land(store, plain(MOTE, fact("values", 3, "a")));
    land(store, plain(MOTE, fact("values", 3, "b")));
    long before = land(store, plain(MOTE, Fact.none("values"))).position();
    assertThat(history(store, MOTE, "values")).isEmpty();
    // Who followed up to the fact before has to learn that the slot is empty.
    assertThat(feed(store, before - 1))
        .singleElement()
        .satisfies(change -> assertThat(change.facts()).allMatch(Fact::isNone));
    for (String body : List.of("c", "d", "e")) {
      land(store, plain(MOTE, fact("values", 3, body)));
    }
    assertThat(history(store, MOTE, "values")).containsExactly("c", "d", "e");
  }

  @Test
  void factsOfOneBatchSupersedeEachOther() {
    Change change =
        land(
            store,
            plain(
                MOTE,
                fact("a", 2, "1"),
                fact("a", 2, "2"),
                fact("b", 1, "x"),
                fact("a", 2, "3"),
                fact("c", 5, "gone"),
                Fact.none("c")));
    assertThat(change.facts()).extracting(Given::text).containsExactly("2", "x", "3", "");
    assertThat(history(store, MOTE, "a")).containsExactly("2", "3");
    assertThat(history(store, MOTE, "c")).isEmpty();
  }

  @Test
  void aBatchWithoutFactsStillMovesTheNumberForWhoeverFollows() {
    land(store, numbered(MOTE, 1, fact("ms", 1, "a")));
    land(store, numbered(MOTE, 2));
    land(store, numbered(MOTE, 3));
    assertThat(feed(store, 0).getLast())
        .satisfies(
            change -> {
              assertThat(change.high()).isEqualTo(3);
              assertThat(change.version()).isEqualTo(3);
              assertThat(change.facts()).isEmpty();
            });
    assertThat(history(store, MOTE, "ms")).containsExactly("a");
  }

  @Test
  void historyTellsNumberTimeAndOctetsOldestFirst() {
    byte[] octets = {0, 1, (byte) 0xff, 0x27};
    store
        .submit(
            new Batch(
                MOTE,
                NOON,
                OptionalLong.of(4),
                OptionalLong.empty(),
                List.of(new Fact("values", 10, octets))))
        .join();
    land(store, numbered(MOTE, 6, fact("values", 10, "six")));
    land(store, plain(MOTE, fact("values", 10, "unnumbered")));
    land(store, numbered(MOTE, 8, fact("values", 10, "eight")));
    List<Store.Kept> all = store.history(MOTE, "values", -1, 10);
    assertThat(all).extracting(Store.Kept::sequence).containsExactly(4L, 6L, 0L, 8L);
    assertThat(all.getFirst().body()).isEqualTo(octets);
    assertThat(all.getFirst().at()).isEqualTo(NOON);
    assertThat(all.getFirst().position()).isEqualTo(1);
    assertThat(store.history(MOTE, "values", 4, 10))
        .extracting(Store.Kept::sequence)
        .containsExactly(6L, 8L);
    assertThat(store.history(MOTE, "values", -1, 2))
        .extracting(Store.Kept::sequence)
        .containsExactly(4L, 6L);
    assertThat(store.history(MOTE, "values", 8, 10)).isEmpty();
  }

  @Test
  void timesAreKeptToTheMicrosecond() {
    for (Instant at :
        List.of(
            Instant.EPOCH,
            Instant.parse("1969-12-31T23:59:59.999999Z"),
            Instant.parse("2106-02-07T06:28:16.000001Z"))) {
      land(
          store,
          new Batch(
              MOTE, at, OptionalLong.empty(), OptionalLong.empty(), List.of(fact("t", 1, "x"))));
      assertThat(store.history(MOTE, "t", -1, 1).getFirst().at()).isEqualTo(at);
    }
  }

  @Test
  void everythingThatLandedIsThereAfterOpeningAgain() {
    List<String> told = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      told.add(
          Given.told(
              land(store, numbered(mote("mote-" + i), i, fact("ms", 1, "m"), fact("k", 3, "k")))));
    }
    reopen();
    assertThat(feed(store, 0)).extracting(Given::told).containsExactlyElementsOf(told);
    assertThat(outcome(store, numbered(mote("mote-9"), 9, fact("ms", 1, "again"))))
        .isEqualTo(new Outcome.SequenceUsed(9));
    assertThat(land(store, numbered(mote("mote-9"), 10, fact("ms", 1, "n"))).position())
        .isEqualTo(21);
  }

  @Test
  void foldingTheFeedFromAnyPlaceGivesThePresentState() {
    Random random = new Random(20260301);
    Given.Projection live = new Given.Projection();
    Given.Projection resumed = new Given.Projection();
    long resumedAt = 0;
    try (Store.Subscription subscription = store.changes(0, live::see)) {
      assertThat(subscription).isNotNull();
      for (int i = 0; i < 600; i++) {
        EndpointName name = mote("mote-" + random.nextInt(6));
        List<Fact> facts = new ArrayList<>();
        for (int f = random.nextInt(4); f > 0; f--) {
          String slot = "slot-" + random.nextInt(3);
          facts.add(
              random.nextInt(8) == 0
                  ? Fact.none(slot)
                  : fact(slot, 1 + random.nextInt(4), "body-" + i + "-" + f));
        }
        Change change = land(store, numbered(name, i + 1, facts.toArray(Fact[]::new)));
        if (i % 97 == 0) {
          // A projection that was away for a while and resumes where it stopped.
          feed(store, resumedAt).forEach(resumed::see);
          resumedAt = change.position();
        }
      }
    }
    feed(store, resumedAt).forEach(resumed::see);
    Given.Projection fresh = new Given.Projection();
    feed(store, 0).forEach(fresh::see);
    assertThat(live.slots).isNotEmpty();
    for (Given.Projection other : List.of(fresh, resumed)) {
      assertThat(other.standing).isEqualTo(live.standing);
      assertThat(other.slots).isEqualTo(live.slots);
    }
    live.slots.forEach(
        (key, bodies) -> {
          String[] parts = key.split(" ");
          assertThat(history(store, mote(parts[0]), parts[1])).isEqualTo(bodies);
        });
  }

  @Test
  void aFollowerOfOneSlotIsToldOfThatAloneAndMissesNothingOfIt() {
    land(store, plain(MOTE, fact("rd", 1, "a"), fact("ms", 1, "b")));
    land(store, plain(MOTE, fact("rd", 1, "c"), fact("ms", 1, "d")));
    land(store, plain(MOTE, fact("ms", 1, "e")));
    land(store, plain(mote("other"), fact("rd", 1, "f")));
    List<String> seen = new ArrayList<>();
    try (Store.Subscription subscription =
        store.changes(
            "rd",
            0,
            change -> {
              for (Fact fact : change.facts()) {
                if (fact.slot().equals("rd")) {
                  seen.add(change.version() + " " + Given.text(fact));
                }
              }
              assertThat(change.isAbout("rd")).isTrue();
            })) {
      assertThat(subscription).isNotNull();
      assertThat(seen).containsExactly("2 c", "1 f");
      land(store, plain(MOTE, fact("ms", 1, "g")));
      land(store, plain(MOTE, fact("ms", 1, "h"), Fact.none("rd")));
    }
    assertThat(seen).containsExactly("2 c", "1 f", "5 ");
  }

  @Test
  void aClosedStoreRefusesWithAStoreException() {
    store.close();
    assertThatThrownBy(() -> store.submit(plain(MOTE, fact("rd", 1, "a"))).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.endpoint(MOTE)).isInstanceOf(StoreException.class);
    store.close();
  }

  @Test
  void aTrailIsReadByItsPlaceInTheFeedForAllOrForOne() {
    EndpointName other = mote("mote-2");
    land(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "a"), fact("key", 1, "k")));
    land(store, plain(other, fact("audit", Fact.KEEP_ALL, "b")));
    land(store, plain(MOTE, fact("key", 1, "l"), fact("log", Fact.KEEP_ALL, "of another slot")));
    long last =
        land(
                store,
                plain(MOTE, fact("audit", Fact.KEEP_ALL, "c"), fact("audit", Fact.KEEP_ALL, "d")))
            .position();
    reopen();
    assertThat(bodies(store.trail("audit", null, 0, 10))).containsExactly("a", "b", "cd");
    assertThat(bodies(store.trail("audit", null, 0, 2))).containsExactly("a", "b");
    long second = store.trail("audit", null, 0, 2).getLast().position();
    assertThat(bodies(store.trail("audit", null, second, 10))).containsExactly("cd");
    assertThat(bodies(store.trail("audit", MOTE, 0, 10))).containsExactly("a", "cd");
    assertThat(bodies(store.trail("audit", mote("nobody"), 0, 10))).isEmpty();
    assertThat(store.trail("audit", null, last, 10)).isEmpty();
  }

  @Test
  void aTrailIsReadBackFromTheNewestForAllOrForOne() {
    for (String what : List.of("a", "b", "c")) {
      EndpointName whose = what.equals("b") ? mote("mote-2") : MOTE;
      land(store, plain(whose, fact("audit", Fact.KEEP_ALL, what), fact("key", 1, "k")));
    }
    land(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "d"), fact("audit", Fact.KEEP_ALL, "e")));
    reopen();
    long newest = Long.MAX_VALUE;
    assertThat(bodies(store.trailBack("audit", null, newest, 10)))
        .as("what one change brought stays in its order")
        .containsExactly("de", "c", "b", "a");
    List<Change> page = store.trailBack("audit", null, newest, 2);
    assertThat(bodies(page)).containsExactly("de", "c");
    assertThat(bodies(store.trailBack("audit", null, page.getLast().position(), 2)))
        .containsExactly("b", "a");
    assertThat(bodies(store.trailBack("audit", MOTE, newest, 10))).containsExactly("de", "c", "a");
    assertThat(store.trailBack("audit", mote("nobody"), newest, 10)).isEmpty();
  }

  private static List<String> bodies(List<Change> changes) {
    return changes.stream()
        .map(
            change ->
                change.facts().stream()
                    .map(fact -> new String(fact.body(), java.nio.charset.StandardCharsets.UTF_8))
                    .collect(java.util.stream.Collectors.joining()))
        .toList();
  }
}
