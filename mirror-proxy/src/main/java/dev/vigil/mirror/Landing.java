package dev.vigil.mirror;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
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
    return attempt(decide, TRIES);
  }

  private CompletableFuture<Change> attempt(Supplier<Batch> decide, int tries) {
    return store
        .submit(decide.get())
        .exceptionally(Landing::notStored)
        .thenCompose(
            outcome ->
                switch (outcome) {
                  case Outcome.Landed(Change change) -> CompletableFuture.completedFuture(change);
                  case Outcome.SequenceUsed(long high) -> throw SequenceRule.used(high);
                  case Outcome.VersionMoved(long version) -> {
                    if (tries == 1) {
                      throw new Rejection(
                          Reason.OVERLOADED,
                          "the endpoint changes too fast (version " + version + ")",
                          RETRY_SECONDS);
                    }
                    yield attempt(decide, tries - 1);
                  }
                });
  }

  private static Outcome notStored(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    log.error("the store could not write; nothing was acknowledged", cause);
    throw new Rejection(Reason.NOT_STORED, "could not be stored", RETRY_SECONDS);
  }
}
