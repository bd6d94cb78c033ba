package dev.vigil.directory;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store's contract in a map and a list, for tests of this module, which cannot see an adapter:
 * the sequence and version rules, slots that keep so many facts, and a feed of what is kept. What
 * is durable is tested where the adapters are.
 */
public final class MemoryStore implements Store {
  private static final class State {
    final String id;
    long high;
    long version;

    State(String id) {
      this.id = id;
    }
  }

  private record Stored(long sequence, Change change) {}

  private final Map<EndpointName, State> states = new HashMap<>();
  private final TreeMap<Long, Stored> log = new TreeMap<>();
  private final List<Consumer<Change>> followers = new CopyOnWriteArrayList<>();
  private long position;
  private boolean broken;
  private @Nullable List<Runnable> held;

  /** From now on nothing can be written. */
  public synchronized void breakDown() {
    broken = true;
  }

  /** From now on what is written waits. */
  public synchronized void hold() {
    held = new ArrayList<>();
  }

  /** What waits is written. */
  public synchronized void release() {
    List<Runnable> waiting = Objects.requireNonNull(held);
    held = null;
    waiting.forEach(Runnable::run);
  }

  @Override
  public synchronized CompletableFuture<Outcome> submit(Batch batch) {
    if (held != null) {
      CompletableFuture<Outcome> later = new CompletableFuture<>();
      held.add(() -> submit(batch).thenAccept(later::complete));
      return later;
    }
    if (broken) {
      return CompletableFuture.failedFuture(new StoreException("the disk is full"));
    }
    State state = states.get(batch.endpoint());
    long version = state == null ? 0 : state.version;
    long high = state == null ? 0 : state.high;
    if (batch.sequence().isPresent() && batch.sequence().getAsLong() <= high) {
      return CompletableFuture.completedFuture(new Outcome.SequenceUsed(high));
    }
    if (batch.version().isPresent() && batch.version().getAsLong() != version) {
      return CompletableFuture.completedFuture(new Outcome.VersionMoved(version));
    }
    if (state == null) {
      state = new State(Integer.toString(states.size() + 1));
      states.put(batch.endpoint(), state);
    }
    state.high = batch.sequence().orElse(state.high);
    state.version++;
    Change change =
        new Change(
            ++position,
            state.id,
            batch.endpoint(),
            batch.at(),
            state.high,
            state.version,
            batch.facts());
    log.put(position, new Stored(batch.sequence().orElse(0), change));
    batch.facts().forEach(fact -> supersede(batch.endpoint(), fact));
    followers.forEach(follower -> follower.accept(change));
    return CompletableFuture.completedFuture(new Outcome.Landed(change));
  }

  private void supersede(EndpointName name, Fact newest) {
    List<Long> holding = new ArrayList<>();
    log.forEach(
        (at, stored) -> {
          if (stored.change().endpoint().equals(name)
              && stored.change().facts().stream().anyMatch(f -> f.slot().equals(newest.slot()))) {
            holding.add(at);
          }
        });
    int surplus = newest.keep() == Fact.KEEP_ALL ? 0 : holding.size() - newest.keep();
    for (int i = 0; i < surplus; i++) {
      Stored old = Objects.requireNonNull(log.get(holding.get(i)));
      Change c = old.change();
      List<Fact> left = c.facts().stream().filter(f -> !f.slot().equals(newest.slot())).toList();
      if (left.isEmpty()) {
        log.remove(c.position());
      } else {
        log.put(
            c.position(),
            new Stored(
                old.sequence(),
                new Change(
                    c.position(), c.id(), c.endpoint(), c.at(), c.high(), c.version(), left)));
      }
    }
  }

  @Override
  public synchronized Subscription changes(long after, Consumer<Change> follower) {
    log.tailMap(after, false).values().forEach(stored -> follower.accept(stored.change()));
    followers.add(follower);
    return () -> followers.remove(follower);
  }

  @Override
  public synchronized Optional<Endpoint> endpoint(EndpointName name) {
    return Optional.ofNullable(states.get(name))
        .map(state -> new Endpoint(state.id, name, state.high, state.version));
  }

  @Override
  public synchronized List<Kept> history(
      EndpointName name, String slot, long afterSequence, int limit) {
    return log.values().stream()
        .filter(s -> s.change().endpoint().equals(name) && s.sequence() > afterSequence)
        .flatMap(
            s ->
                s.change().facts().stream()
                    .filter(f -> f.slot().equals(slot))
                    .map(
                        f ->
                            new Kept(
                                s.change().position(), s.sequence(), s.change().at(), f.body())))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<Change> trail(
      String slot, @Nullable EndpointName name, long after, int limit) {
    throw new UnsupportedOperationException("the directory keeps no trail");
  }

  @Override
  public List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit) {
    throw new UnsupportedOperationException("the directory keeps no trail");
  }

  @Override
  public void close() {
    followers.clear();
  }
}
