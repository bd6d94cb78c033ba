package dev.vigil.gateway.month;

import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Passes everything on to a store, and knows when the store is idle. */
final class TrackedStore implements Store {
  private final Store store;
  private final UnaryOperator<Batch> mutation;

  /** Guards {@link #pending}. */
  private final Object lock = new Object();

  private int pending;

  /**
   * @param mutation changes what is submitted; for tests of the invariants
   */
  TrackedStore(Store store, UnaryOperator<Batch> mutation) {
    this.store = store;
    this.mutation = mutation;
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    synchronized (lock) {
      pending++;
    }
    CompletableFuture<SubmitResult> result = store.submit(mutation.apply(batch));
    // The first to be registered, so the last to be called.
    result.whenComplete((done, thrown) -> ended());
    return result;
  }

  private void ended() {
    synchronized (lock) {
      pending--;
      lock.notifyAll();
    }
  }

  /** Waits until all that was submitted has ended. */
  void awaitIdle() throws InterruptedException {
    synchronized (lock) {
      while (pending > 0) {
        lock.wait();
      }
    }
  }

  @Override
  public Subscription changes(long after, Consumer<Change> follower) {
    return store.changes(after, follower);
  }

  @Override
  public Subscription changes(String slot, long after, Consumer<Change> follower) {
    return store.changes(slot, after, follower);
  }

  @Override
  public Subscription changes(EndpointName name, long after, Consumer<Change> follower) {
    return store.changes(name, after, follower);
  }

  @Override
  public List<Change> page(long after, int limit) {
    return store.page(after, limit);
  }

  @Override
  public Optional<Endpoint> endpoint(EndpointName name) {
    return store.endpoint(name);
  }

  @Override
  public List<HistoryEntry> history(EndpointName name, String slot, long afterSequence, int limit) {
    return store.history(name, slot, afterSequence, limit);
  }

  @Override
  public List<HistoryEntry> historyBack(
      EndpointName name, String slot, long beforeSequence, int limit) {
    return store.historyBack(name, slot, beforeSequence, limit);
  }

  @Override
  public List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit) {
    return store.trail(slot, name, after, limit);
  }

  @Override
  public List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit) {
    return store.trailBack(slot, name, before, limit);
  }

  @Override
  public void close() {
    store.close();
  }
}
