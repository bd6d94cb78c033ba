package dev.vigil.store;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Optimistic concurrency control over {@link Store#submit}: decides a batch from the present state,
 * submits it, and decides again when another writer changed the endpoint in between. Safe for use
 * by any number of threads.
 */
public final class OptimisticCommit {
  private static final Logger log = LoggerFactory.getLogger(OptimisticCommit.class);

  private final Store store;
  private final int tries;

  /**
   * @param tries how often one commit is decided and submitted at most; at least 1
   */
  public OptimisticCommit(Store store, int tries) {
    if (tries < 1) {
      throw new IllegalArgumentException("a commit needs at least one try");
    }
    this.store = store;
    this.tries = tries;
  }

  /** Builds the batch of one try. */
  @FunctionalInterface
  public interface Decision {
    /**
     * @param version the endpoint's present version as the store reported it when it refused the
     *     previous try; empty at the first try. A caller whose projection follows only some slots
     *     has no other way to learn it
     */
    Batch decide(OptionalLong version);
  }

  /** The result of a commit. */
  public sealed interface Outcome {
    /** The batch is durable, and every follower of this process has seen its change. */
    record Committed(Change change) implements Outcome {}

    /** Nothing was changed: the batch's sequence number is not above {@code high}. */
    record SequenceUsed(long high) implements Outcome {}

    /** Nothing was changed: other writers were faster at every try. */
    record Contended(long version) implements Outcome {}

    /** Nothing was changed: the store could not write. */
    record NotStored(Throwable cause) implements Outcome {}
  }

  /**
   * Commits a batch. The first try is decided on the calling thread, and this method passes on any
   * exception of that decision. Further tries are decided on the store's thread.
   *
   * @return completes with the outcome, or exceptionally if a further decision throws
   */
  public CompletableFuture<Outcome> commit(Decision decision) {
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    attempt(decision, OptionalLong.empty(), tries, result);
    return result;
  }

  private void attempt(
      Decision decision, OptionalLong version, int left, CompletableFuture<Outcome> result) {
    store
        .submit(decision.decide(version))
        .whenComplete(
            (submitted, thrown) -> {
              if (thrown != null) {
                result.complete(notStored(thrown));
                return;
              }
              try {
                settle(submitted, decision, left, result);
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
  }

  private void settle(
      SubmitResult submitted, Decision decision, int left, CompletableFuture<Outcome> result) {
    switch (submitted) {
      case SubmitResult.Committed(Change change) -> result.complete(new Outcome.Committed(change));
      case SubmitResult.SequenceUsed(long high) -> result.complete(new Outcome.SequenceUsed(high));
      case SubmitResult.VersionMoved(long version) when left > 1 ->
          attempt(decision, OptionalLong.of(version), left - 1, result);
      case SubmitResult.VersionMoved(long version) ->
          result.complete(new Outcome.Contended(version));
    }
  }

  private static Outcome notStored(Throwable thrown) {
    @Nullable Throwable inner = thrown instanceof CompletionException e ? e.getCause() : null;
    Throwable cause = inner == null ? thrown : inner;
    if (!(cause instanceof StoreException)) {
      // The store logs its own failures; a lasting failure is logged once.
      log.error("the store could not write; nothing was acknowledged", cause);
    }
    return new Outcome.NotStored(cause);
  }
}
