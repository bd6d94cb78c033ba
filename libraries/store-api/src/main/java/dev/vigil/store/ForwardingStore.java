package dev.vigil.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes every call to another store; subclasses override the methods that they extend. It is as
 * thread-safe as the other store.
 */
public abstract class ForwardingStore implements Store {
  private final Store store;

  /**
   * @param store receives every call
   */
  protected ForwardingStore(Store store) {
    this.store = store;
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    return store.submit(batch);
  }

  @Override
  public Subscription changes(long after, Consumer<Change> follower) {
    return store.changes(after, follower);
  }

  @Override
  public Subscription present(Consumer<Change> follower) {
    return store.present(follower);
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
  public long lastBefore(EndpointName name, String slot, Instant at) {
    return store.lastBefore(name, slot, at);
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
