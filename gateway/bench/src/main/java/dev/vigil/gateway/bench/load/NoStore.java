package dev.vigil.gateway.bench.load;

import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Commits every batch and stores nothing, so that only the directory is measured. */
public final class NoStore implements Store {
  private final List<Consumer<Change>> followers = new CopyOnWriteArrayList<>();
  private long position;

  @Override
  public synchronized CompletableFuture<SubmitResult> submit(Batch batch) {
    position++;
    Change change =
        new Change(
            position,
            Long.toString(position, 36),
            batch.endpoint(),
            batch.at(),
            0,
            1,
            batch.facts());
    followers.forEach(follower -> follower.accept(change));
    return CompletableFuture.completedFuture(new SubmitResult.Committed(change));
  }

  @Override
  public Subscription changes(long after, Consumer<Change> follower) {
    followers.add(follower);
    return () -> followers.remove(follower);
  }

  @Override
  public List<Change> page(long after, int limit) {
    return List.of();
  }

  @Override
  public Optional<Endpoint> endpoint(EndpointName name) {
    return Optional.empty();
  }

  @Override
  public List<HistoryEntry> history(EndpointName name, String slot, long afterSequence, int limit) {
    return List.of();
  }

  @Override
  public List<HistoryEntry> historyBack(
      EndpointName name, String slot, long beforeSequence, int limit) {
    return List.of();
  }

  @Override
  public List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit) {
    return List.of();
  }

  @Override
  public List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit) {
    return List.of();
  }

  @Override
  public void close() {
    followers.clear();
  }
}
