package dev.vigil.store;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.onVersion;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.store.OptimisticCommit.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class OptimisticCommitTest {
  private static final int TRIES = 3;
  private static final EndpointName MOTE = mote("mote-1");

  private final MemoryStore store = new MemoryStore();
  private final OptimisticCommit commits = new OptimisticCommit(store, TRIES);
  private final List<OptionalLong> versions = new ArrayList<>();

  /** Another writer that moves the endpoint's version. */
  private void moveVersion() {
    committed(store, plain(MOTE, fact("other", 1, "moved")));
  }

  @Test
  void commitsTheFirstDecisionWhenNobodyElseWrites() {
    Outcome outcome =
        commits
            .commit(
                version -> {
                  versions.add(version);
                  return onVersion(MOTE, 0, fact("rd", 1, "a"));
                })
            .join();
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    assertThat(versions).containsExactly(OptionalLong.empty());
    assertThat(history(store, MOTE, "rd")).containsExactly("a");
  }

  @Test
  void decidesAgainOnTheVersionThatTheStoreReports() {
    moveVersion();
    Outcome outcome =
        commits
            .commit(
                version -> {
                  versions.add(version);
                  return onVersion(MOTE, version.orElse(0), fact("rd", 1, "try " + version));
                })
            .join();
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Committed.class, done -> assertThat(done.change().version()).isEqualTo(2));
    assertThat(versions).containsExactly(OptionalLong.empty(), OptionalLong.of(1));
    assertThat(history(store, MOTE, "rd")).containsExactly("try OptionalLong[1]");
  }

  @Test
  void reportsContentionAfterTheLastTry() {
    Outcome outcome =
        commits
            .commit(
                version -> {
                  versions.add(version);
                  moveVersion();
                  return onVersion(MOTE, version.orElse(0), fact("rd", 1, "a"));
                })
            .join();
    assertThat(outcome).isEqualTo(new Outcome.Contended(TRIES));
    assertThat(versions).hasSize(TRIES);
    assertThat(history(store, MOTE, "rd")).isEmpty();
  }

  @Test
  void aUsedSequenceNumberIsNotTriedAgain() {
    committed(store, numbered(MOTE, 7, fact("ms", 1, "seven")));
    Outcome outcome =
        commits
            .commit(
                version -> {
                  versions.add(version);
                  return numbered(MOTE, 7, fact("ms", 1, "again"));
                })
            .join();
    assertThat(outcome).isEqualTo(new Outcome.SequenceUsed(7));
    assertThat(versions).hasSize(1);
  }

  @Test
  void aStoreThatCannotWriteIsReportedWithItsCause() {
    store.full(true);
    assertThat(commits.commit(version -> plain(MOTE, fact("rd", 1, "a"))).join())
        .isInstanceOfSatisfying(
            Outcome.NotStored.class,
            failed -> assertThat(failed.cause()).isInstanceOf(StoreException.class));
  }

  @Test
  void theFirstDecisionThrowsToTheCaller() {
    assertThatThrownBy(
            () ->
                commits.commit(
                    version -> {
                      throw new IllegalStateException("refused");
                    }))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aLaterDecisionFailsTheFuture() {
    moveVersion();
    var result =
        commits.commit(
            version -> {
              if (version.isPresent()) {
                throw new IllegalStateException("refused");
              }
              return onVersion(MOTE, 0, fact("rd", 1, "a"));
            });
    assertThatThrownBy(result::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void atLeastOneTryIsRequired() {
    assertThatThrownBy(() -> new OptimisticCommit(store, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
