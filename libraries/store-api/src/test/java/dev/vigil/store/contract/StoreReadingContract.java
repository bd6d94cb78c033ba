package dev.vigil.store.contract;

import static dev.vigil.store.contract.StoreTesting.NOON;
import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The contract of {@link Store} for history, feed and trails; every adapter passes it. */
public abstract class StoreReadingContract extends StoreTestBase {
  @Test
  void followersSeeTheNumberOfABatchWithoutFacts() {
    committed(store, numbered(MOTE, 1, fact("ms", 1, "a")));
    committed(store, numbered(MOTE, 2));
    committed(store, numbered(MOTE, 3));
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
  void historyHasNumberTimeAndBodyOldestFirst() {
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
    committed(store, numbered(MOTE, 6, fact("values", 10, "six")));
    committed(store, plain(MOTE, fact("values", 10, "unnumbered")));
    committed(store, numbered(MOTE, 8, fact("values", 10, "eight")));
    List<Store.HistoryEntry> all = store.history(MOTE, "values", -1, 10);
    assertThat(all).extracting(Store.HistoryEntry::sequence).containsExactly(4L, 6L, 0L, 8L);
    assertThat(all.getFirst().body()).isEqualTo(octets);
    assertThat(all.getFirst().at()).isEqualTo(NOON);
    assertThat(all.getFirst().position()).isEqualTo(1);
    assertThat(store.history(MOTE, "values", 4, 10))
        .extracting(Store.HistoryEntry::sequence)
        .containsExactly(6L, 8L);
    assertThat(store.history(MOTE, "values", -1, 2))
        .extracting(Store.HistoryEntry::sequence)
        .containsExactly(4L, 6L);
    assertThat(store.history(MOTE, "values", 8, 10)).isEmpty();
    assertThat(store.historyBack(MOTE, "values", Long.MAX_VALUE, 2))
        .extracting(Store.HistoryEntry::sequence)
        .containsExactly(8L, 6L);
    assertThat(store.historyBack(MOTE, "values", 6, 10))
        .extracting(Store.HistoryEntry::sequence)
        .containsExactly(4L);
    assertThat(store.historyBack(MOTE, "values", 4, 10)).isEmpty();
  }

  @Test
  void pagesOfTheFeedAreItsKeptChangesInOrder() {
    for (int i = 1; i <= 7; i++) {
      committed(store, numbered(MOTE, i, fact("values", 4, "v" + i), fact("life", 1, "l")));
    }
    List<String> paged = new ArrayList<>();
    long after = 0;
    List<Change> page;
    do {
      page = store.page(after, 2);
      page.forEach(change -> paged.add(StoreTesting.describe(change)));
      after = page.isEmpty() ? after : page.getLast().position();
    } while (page.size() == 2);
    assertThat(paged)
        .hasSize(4)
        .containsExactlyElementsOf(feed(store, 0).stream().map(StoreTesting::describe).toList());
    assertThat(store.page(after, 2)).isEmpty();
  }

  @Test
  void timesAreKeptToTheMicrosecond() {
    for (Instant at :
        List.of(
            Instant.EPOCH,
            Instant.parse("1969-12-31T23:59:59.999999Z"),
            Instant.parse("2106-02-07T06:28:16.000001Z"))) {
      committed(
          store,
          new Batch(
              MOTE, at, OptionalLong.empty(), OptionalLong.empty(), List.of(fact("t", 1, "x"))));
      assertThat(store.history(MOTE, "t", -1, 1).getFirst().at()).isEqualTo(at);
    }
  }

  @Test
  void committedBatchesSurviveReopening() {
    List<String> changes = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      changes.add(
          StoreTesting.describe(
              committed(
                  store, numbered(mote("mote-" + i), i, fact("ms", 1, "m"), fact("k", 3, "k")))));
    }
    reopen();
    assertThat(feed(store, 0))
        .extracting(StoreTesting::describe)
        .containsExactlyElementsOf(changes);
    assertThat(outcome(store, numbered(mote("mote-9"), 9, fact("ms", 1, "again"))))
        .isEqualTo(new SubmitResult.SequenceUsed(9));
    assertThat(committed(store, numbered(mote("mote-9"), 10, fact("ms", 1, "n"))).position())
        .isEqualTo(21);
  }

  @Test
  void foldingTheFeedFromAnyPositionGivesThePresent() {
    Random random = new Random(20260301);
    StoreTesting.Projection live = new StoreTesting.Projection();
    StoreTesting.Projection resumed = new StoreTesting.Projection();
    long resumedAt = 0;
    try (Store.Subscription subscription = store.changes(0, live::fold)) {
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
        Change change = committed(store, numbered(name, i + 1, facts.toArray(Fact[]::new)));
        if (i % 97 == 0) {
          // This projection pauses and resumes at its last position.
          feed(store, resumedAt).forEach(resumed::fold);
          resumedAt = change.position();
        }
      }
    }
    feed(store, resumedAt).forEach(resumed::fold);
    StoreTesting.Projection fresh = new StoreTesting.Projection();
    feed(store, 0).forEach(fresh::fold);
    assertThat(live.slots).isNotEmpty();
    for (StoreTesting.Projection other : List.of(fresh, resumed)) {
      assertThat(other.endpoints).isEqualTo(live.endpoints);
      assertThat(other.slots).isEqualTo(live.slots);
    }
    live.slots.forEach(
        (key, bodies) -> {
          String[] parts = key.split(" ");
          assertThat(history(store, mote(parts[0]), parts[1])).isEqualTo(bodies);
        });
    StoreTesting.Projection present = new StoreTesting.Projection();
    store.present(present::fold).close();
    assertThat(present.endpoints).isEqualTo(live.endpoints);
    assertThat(present.newest()).isEqualTo(live.newest());
  }

  @Test
  void thePresentHasTheNewestFactOfEachSlotThenNewChanges() {
    committed(store, numbered(MOTE, 1, fact("v", 99, "old"), fact("key", 1, "k")));
    for (int i = 2; i < 50; i++) {
      committed(store, numbered(MOTE, i, fact("v", 99, "old")));
    }
    committed(store, numbered(MOTE, 50, fact("v", 99, "new"), fact("gone", 1, "x")));
    committed(store, plain(mote("other"), fact("audit", Fact.KEEP_ALL, "a")));
    committed(store, plain(MOTE, Fact.none("gone")));
    StoreTesting.Projection present = new StoreTesting.Projection();
    try (Store.Subscription subscription = store.present(present::fold)) {
      assertThat(subscription).isNotNull();
      assertThat(present.newest())
          .isEqualTo(Map.of("mote-1 v", "new", "mote-1 key", "k", "other audit", "a"));
      committed(store, numbered(MOTE, 51, fact("v", 99, "next")));
    }
    assertThat(present.newest()).containsEntry("mote-1 v", "next");
    assertThat(present.endpoints.get("mote-1")).endsWith(" 51 52");
  }

  @Test
  void aFollowerOfOneSlotSeesAllChangesOfThatSlotOnly() {
    committed(store, plain(MOTE, fact("rd", 1, "a"), fact("ms", 1, "b")));
    committed(store, plain(MOTE, fact("rd", 1, "c"), fact("ms", 1, "d")));
    committed(store, plain(MOTE, fact("ms", 1, "e")));
    committed(store, plain(mote("other"), fact("rd", 1, "f")));
    List<String> seen = new ArrayList<>();
    try (Store.Subscription subscription =
        store.changes(
            "rd",
            0,
            change -> {
              for (Fact fact : change.facts()) {
                if (fact.slot().equals("rd")) {
                  seen.add(change.version() + " " + StoreTesting.text(fact));
                }
              }
              assertThat(change.isAbout("rd")).isTrue();
            })) {
      assertThat(subscription).isNotNull();
      assertThat(seen).containsExactly("2 c", "1 f");
      committed(store, plain(MOTE, fact("ms", 1, "g")));
      committed(store, plain(MOTE, fact("ms", 1, "h"), Fact.none("rd")));
    }
    assertThat(seen).containsExactly("2 c", "1 f", "5 ");
  }

  @Test
  void aFollowerOfOneEndpointSeesAllChangesOfItOnly() {
    EndpointName reserved = mote(".records/test");
    committed(store, plain(reserved, fact("a", 1, "gone"), fact("audit", Fact.KEEP_ALL, "x")));
    committed(store, plain(MOTE, fact("a", 1, "of another")));
    committed(store, plain(reserved, fact("a", 1, "kept"), fact("b", 1, "c")));
    long middle = committed(store, plain(MOTE, fact("a", 1, "of another"))).position();
    List<String> seen = new ArrayList<>();
    try (Store.Subscription subscription =
        store.changes(reserved, 0, change -> seen.add(change.version() + factsOf(change)))) {
      assertThat(subscription).isNotNull();
      assertThat(seen).containsExactly("1 x", "2 kept c");
      committed(store, plain(MOTE, fact("b", 1, "of another")));
      committed(store, plain(reserved, Fact.none("b")));
    }
    assertThat(seen).containsExactly("1 x", "2 kept c", "3 ");
    seen.clear();
    store.changes(reserved, middle, change -> seen.add(change.version() + factsOf(change))).close();
    assertThat(seen).containsExactly("3 ");
    seen.clear();
    store.changes(mote("nobody"), 0, change -> seen.add(factsOf(change))).close();
    assertThat(seen).isEmpty();
  }

  private static String factsOf(Change change) {
    return change.facts().stream()
        .map(fact -> " " + StoreTesting.text(fact))
        .reduce("", String::concat);
  }

  @Test
  void readsATrailByPositionForAllOrOneEndpoint() {
    EndpointName other = mote("mote-2");
    committed(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "a"), fact("key", 1, "k")));
    committed(store, plain(other, fact("audit", Fact.KEEP_ALL, "b")));
    committed(
        store, plain(MOTE, fact("key", 1, "l"), fact("log", Fact.KEEP_ALL, "of another slot")));
    long last =
        committed(
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
  void readsATrailBackwardsForAllOrOneEndpoint() {
    for (String body : List.of("a", "b", "c")) {
      EndpointName name = body.equals("b") ? mote("mote-2") : MOTE;
      committed(store, plain(name, fact("audit", Fact.KEEP_ALL, body), fact("key", 1, "k")));
    }
    committed(
        store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "d"), fact("audit", Fact.KEEP_ALL, "e")));
    reopen();
    long newest = Long.MAX_VALUE;
    assertThat(bodies(store.trailBack("audit", null, newest, 10)))
        .as("facts of one change stay in order")
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
