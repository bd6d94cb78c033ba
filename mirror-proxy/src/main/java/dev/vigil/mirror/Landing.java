package dev.vigil.mirror;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Submits batches, and decides anew when somebody else changed the endpoint in between. */
final class Landing {
  private static final Logger log = LoggerFactory.getLogger(Landing.class);
  private static final int TRIES = 8;
  private static final long RETRY_SECONDS = 5;

  private final Store store;

  Landing(Store store) {
    this.store = store;
  }

  /**
   * @param decide makes the batch from the present state; called again when that moved
   * @return fails with a {@link Rejection}: 4.09 with H, 5.03, or what {@code decide} threw
   */
  CompletableFuture<Change> land(Supplier<Batch> decide) {
    CompletableFuture<Change> landed = new CompletableFuture<>();
    attempt(decide, TRIES, landed);
    return landed;
  }

  private void attempt(Supplier<Batch> decide, int tries, CompletableFuture<Change> landed) {
    store
        .submit(decide.get())
        .whenComplete(
            (outcome, thrown) -> {
              try {
                settle(thrown == null ? outcome : notStored(thrown), decide, tries, landed);
              } catch (RuntimeException e) {
                landed.completeExceptionally(e);
              }
            });
  }

  private void settle(
      Outcome outcome, Supplier<Batch> decide, int tries, CompletableFuture<Change> landed) {
    switch (outcome) {
      case Outcome.Landed(Change change) -> landed.complete(change);
      case Outcome.SequenceUsed(long high) -> throw SequenceRule.used(high);
      case Outcome.VersionMoved(long version) -> {
        if (tries == 1) {
          throw new Rejection(
              Reason.OVERLOADED,
              "the endpoint changes too fast (version " + version + ")",
              RETRY_SECONDS);
        }
        attempt(decide, tries - 1, landed);
      }
    }
  }

  private static Outcome notStored(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    if (!(cause instanceof StoreException)) {
      // Of its own failures the store tells, once for as long as they last.
      log.error("the store could not write; nothing was acknowledged", cause);
    }
    throw new Rejection(Reason.NOT_STORED, "could not be stored", RETRY_SECONDS);
  }
}
