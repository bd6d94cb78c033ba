package dev.vigil.store.contract;

import static dev.vigil.store.contract.StoreTesting.NOON;
import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.onVersion;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The contract of {@link Store} for one writing thread; every adapter passes it. */
public abstract class StoreWritingContract extends StoreTestBase {
  @Test
  void returnsTheChangeOfACommittedBatch() {
    Change change = committed(store, numbered(MOTE, 7, fact("key", 1, "k"), fact("ms", 1, "m")));
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
    long first = committed(store, plain(MOTE, fact("rd", 1, "a"))).position();
    long second = committed(store, plain(mote("mote-2"), fact("rd", 1, "a"))).position();
    assertThat(second).isGreaterThan(first);
  }

  @Test
  void anEndpointKeepsItsIdPermanently() {
    String id = committed(store, plain(MOTE, fact("rd", 1, "a"))).id();
    committed(store, plain(MOTE, Fact.none("rd")));
    reopen();
    assertThat(committed(store, plain(MOTE, fact("rd", 1, "b"))).id()).isEqualTo(id);
    assertThat(id).as("a path segment").matches("[A-Za-z0-9._~-]+");
  }

  @Test
  void noTwoEndpointsShareAnId() {
    Set<String> ids = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 40; i++) {
      ids.add(committed(store, plain(mote("mote-" + i), fact("rd", 1, "a"))).id());
      if (i == 20) {
        reopen();
      }
    }
    assertThat(ids).hasSize(40);
  }

  @Test
  void theSameNameInAnotherDomainIsAnotherEndpoint() {
    EndpointName other = new EndpointName("mote-1", "plant");
    committed(store, numbered(MOTE, 5, fact("rd", 1, "a")));
    Change change = committed(store, numbered(other, 1, fact("rd", 1, "b")));
    assertThat(change.version()).isEqualTo(1);
    assertThat(history(store, MOTE, "rd")).containsExactly("a");
    assertThat(history(store, other, "rd")).containsExactly("b");
  }

  @Test
  void anUnknownEndpointIsEmpty() {
    assertThat(store.endpoint(MOTE)).isEmpty();
    assertThat(store.history(MOTE, "rd", -1, 10)).isEmpty();
    assertThat(feed(store, 0)).isEmpty();
  }

  @Test
  void aNumberThatIsNotHigherChangesNothing() {
    committed(store, numbered(MOTE, 10, fact("ms", 1, "ten")));
    for (long used : new long[] {10, 9, 1, 0, -1}) {
      assertThat(outcome(store, numbered(MOTE, used, fact("ms", 1, "bad"), fact("x", 1, "bad"))))
          .isEqualTo(new SubmitResult.SequenceUsed(10));
    }
    assertThat(history(store, MOTE, "ms")).containsExactly("ten");
    assertThat(history(store, MOTE, "x")).isEmpty();
    assertThat(store.endpoint(MOTE)).get().extracting(Store.Endpoint::version).isEqualTo(1L);
    assertThat(feed(store, 0)).hasSize(1);
  }

  @Test
  void theFirstNumberIsAboveZero() {
    assertThat(outcome(store, numbered(MOTE, 0, fact("ms", 1, "a"))))
        .isEqualTo(new SubmitResult.SequenceUsed(0));
    assertThat(store.endpoint(MOTE)).isEmpty();
    assertThat(committed(store, numbered(MOTE, 1, fact("ms", 1, "a"))).high()).isEqualTo(1);
  }

  @Test
  void commitsTheHighestNumberOfTheProtocol() {
    long highest = (1L << 53) - 1;
    assertThat(committed(store, numbered(MOTE, highest, fact("ms", 1, "a"))).high())
        .isEqualTo(highest);
    assertThat(outcome(store, numbered(MOTE, highest, fact("ms", 1, "b"))))
        .isEqualTo(new SubmitResult.SequenceUsed(highest));
  }

  @Test
  void aBatchWithoutNumberLeavesTheHighestNumberAsItIs() {
    committed(store, numbered(MOTE, 10, fact("ms", 1, "a")));
    assertThat(committed(store, plain(MOTE, fact("rd", 1, "b"))).high()).isEqualTo(10);
    assertThat(outcome(store, numbered(MOTE, 10, fact("ms", 1, "c"))))
        .isEqualTo(new SubmitResult.SequenceUsed(10));
  }

  @Test
  void aBatchDecidedOnAnOldVersionChangesNothing() {
    committed(store, plain(MOTE, fact("rd", 1, "one")));
    committed(store, onVersion(MOTE, 1, fact("rd", 1, "two")));
    assertThat(outcome(store, onVersion(MOTE, 1, fact("rd", 1, "three"))))
        .isEqualTo(new SubmitResult.VersionMoved(2));
    assertThat(history(store, MOTE, "rd")).containsExactly("two");
  }

  @Test
  void versionZeroStandsForAnEndpointThatDoesNotExist() {
    assertThat(outcome(store, onVersion(MOTE, 3, fact("rd", 1, "a"))))
        .isEqualTo(new SubmitResult.VersionMoved(0));
    assertThat(committed(store, onVersion(MOTE, 0, fact("rd", 1, "a"))).version()).isEqualTo(1);
    assertThat(outcome(store, onVersion(MOTE, 0, fact("rd", 1, "b"))))
        .isEqualTo(new SubmitResult.VersionMoved(1));
  }

  @Test
  void aSlotKeepsAsManyFactsAsItsNewestFactStates() {
    for (int i = 1; i <= 5; i++) {
      committed(store, numbered(MOTE, i, fact("last", 1, "v" + i), fact("three", 3, "v" + i)));
      committed(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "v" + i)));
    }
    assertThat(history(store, MOTE, "last")).containsExactly("v5");
    assertThat(history(store, MOTE, "three")).containsExactly("v3", "v4", "v5");
    assertThat(history(store, MOTE, "audit")).hasSize(5);
    committed(store, plain(MOTE, fact("three", 2, "v6")));
    assertThat(history(store, MOTE, "three")).containsExactly("v5", "v6");
    committed(store, plain(MOTE, fact("three", 3, "v7")));
    assertThat(history(store, MOTE, "three")).containsExactly("v5", "v6", "v7");
  }

  @Test
  void aClearedSlotIsEmptyAndFillsAgain() {
    committed(store, plain(MOTE, fact("values", 3, "a")));
    committed(store, plain(MOTE, fact("values", 3, "b")));
    long before = committed(store, plain(MOTE, Fact.none("values"))).position();
    assertThat(history(store, MOTE, "values")).isEmpty();
    // A follower that resumes after the previous fact must learn that the slot was cleared.
    assertThat(feed(store, before - 1))
        .singleElement()
        .satisfies(change -> assertThat(change.facts()).allMatch(Fact::isNone));
    for (String body : List.of("c", "d", "e")) {
      committed(store, plain(MOTE, fact("values", 3, body)));
    }
    assertThat(history(store, MOTE, "values")).containsExactly("c", "d", "e");
  }

  @Test
  void factsOfOneBatchSupersedeEachOther() {
    Change change =
        committed(
            store,
            plain(
                MOTE,
                fact("a", 2, "1"),
                fact("a", 2, "2"),
                fact("b", 1, "x"),
                fact("a", 2, "3"),
                fact("c", 5, "gone"),
                Fact.none("c")));
    assertThat(change.facts()).extracting(StoreTesting::text).containsExactly("2", "x", "3", "");
    assertThat(history(store, MOTE, "a")).containsExactly("2", "3");
    assertThat(history(store, MOTE, "c")).isEmpty();
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
}
