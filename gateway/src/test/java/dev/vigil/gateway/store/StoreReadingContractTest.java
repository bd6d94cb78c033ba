package dev.vigil.gateway.store;

import static dev.vigil.gateway.store.Given.NOON;
import static dev.vigil.gateway.store.Given.fact;
import static dev.vigil.gateway.store.Given.feed;
import static dev.vigil.gateway.store.Given.history;
import static dev.vigil.gateway.store.Given.land;
import static dev.vigil.gateway.store.Given.mote;
import static dev.vigil.gateway.store.Given.numbered;
import static dev.vigil.gateway.store.Given.outcome;
import static dev.vigil.gateway.store.Given.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What {@link Store} tells of the past, its feed and its trails; every adapter has to pass. */
abstract class StoreReadingContractTest extends ContractTest {
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
