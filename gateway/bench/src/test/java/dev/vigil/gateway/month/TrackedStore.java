package dev.vigil.gateway.month;

import dev.vigil.store.Batch;
import dev.vigil.store.ForwardingStore;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.util.concurrent.CompletableFuture;

/** Passes everything on to a store, and knows when the store is idle. */
final class TrackedStore extends ForwardingStore {
  /** Guards {@link #pending}. */
  private final Object lock = new Object();

  private int pending;

  TrackedStore(Store store) {
    super(store);
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    synchronized (lock) {
      pending++;
    }
    CompletableFuture<SubmitResult> result = super.submit(batch);
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
}
