package dev.vigil.mirror.state;

import dev.vigil.mirror.model.SequenceRule;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.OptimisticCommit;
import dev.vigil.store.OptimisticCommit.Outcome;
import dev.vigil.store.Store;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Commits the mirror's batches and maps failed commits to {@link RequestRefused}. */
public final class MirrorCommit {
  private static final int TRIES = 8;
  private static final long RETRY_SECONDS = 5;

  private final OptimisticCommit commits;

  public MirrorCommit(Store store) {
    this.commits = new OptimisticCommit(store, TRIES);
  }

  /**
   * @param decide builds the batch from the present state; called again if the state has changed
   * @return fails with a {@link RequestRefused}: 4.09 with H, 5.03, or the refusal that {@code
   *     decide} threw
   */
  public CompletableFuture<Change> commit(Supplier<Batch> decide) {
    return commits.commit(version -> decide.get()).thenApply(MirrorCommit::change);
  }

  private static Change change(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Committed(Change change) -> change;
      case Outcome.SequenceUsed(long high) -> throw SequenceRule.numberUsed(high);
      case Outcome.Contended(long version) ->
          throw new RequestRefused(
              Reason.OVERLOADED,
              "too many concurrent changes of the endpoint (version " + version + ")",
              RETRY_SECONDS);
      case Outcome.NotStored(Throwable cause) ->
          throw new RequestRefused(Reason.NOT_STORED, "could not be stored", RETRY_SECONDS);
    };
  }
}
