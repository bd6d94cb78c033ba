package dev.vigil.mirror;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store's contract in memory, for tests of what is built on it. It outlives the mirrors that
 * use it, as a disk does, so that a restart can be played.
 */
final class MemoryStore implements Store {
  private final Map<EndpointName, Endpoint> endpoints = new LinkedHashMap<>();
  private final Map<EndpointName, Map<String, List<Kept>>> slots = new HashMap<>();
  private final List<Change> feed = new ArrayList<>();
  private final List<Consumer<Change>> followers = new CopyOnWriteArrayList<>();
  private boolean full;

  /** From now on nothing can be written, or everything again. */
  synchronized void full(boolean isFull) {
    full = isFull;
  }

  @Override
  public synchronized CompletableFuture<Outcome> submit(Batch batch) {
    if (full) {
      return CompletableFuture.failedFuture(new StoreException("the disk is full"));
    }
    Endpoint before = endpoints.get(batch.endpoint());
    long high = before == null ? 0 : before.high();
    long version = before == null ? 0 : before.version();
    if (batch.version().isPresent() && batch.version().getAsLong() != version) {
      return CompletableFuture.completedFuture(new Outcome.VersionMoved(version));
    }
    if (batch.sequence().isPresent() && batch.sequence().getAsLong() <= high) {
      return CompletableFuture.completedFuture(new Outcome.SequenceUsed(high));
    }
    long next = batch.sequence().orElse(high);
    String id = before == null ? Integer.toString(endpoints.size() + 1) : before.id();
    endpoints.put(batch.endpoint(), new Endpoint(id, batch.endpoint(), next, version + 1));
    Change change =
        new Change(
            feed.size() + 1L, id, batch.endpoint(), batch.at(), next, version + 1, batch.facts());
    feed.add(change);
    for (Fact fact : batch.facts()) {
      keep(batch, change, fact);
    }
    followers.forEach(follower -> follower.accept(change));
    return CompletableFuture.completedFuture(new Outcome.Landed(change));
  }

  private void keep(Batch batch, Change change, Fact fact) {
    List<Kept> kept =
        slots
            .computeIfAbsent(batch.endpoint(), name -> new HashMap<>())
            .computeIfAbsent(fact.slot(), slot -> new ArrayList<>());
    kept.add(new Kept(change.position(), batch.sequence().orElse(0), batch.at(), fact.body()));
    while (kept.size() > fact.keep()) {
      kept.removeFirst();
    }
  }

  @Override
  public synchronized Subscription changes(long after, Consumer<Change> follower) {
    feed.stream()
        .filter(change -> change.position() > after)
        .map(this::unsuperseded)
        .filter(change -> !change.facts().isEmpty())
        .forEach(follower);
    followers.add(follower);
    return () -> followers.remove(follower);
  }

  private Change unsuperseded(Change change) {
    List<Fact> facts =
        change.facts().stream()
            .filter(
                fact ->
                    slots
                        .getOrDefault(change.endpoint(), Map.of())
                        .getOrDefault(fact.slot(), List.of())
                        .stream()
                        .anyMatch(kept -> kept.position() == change.position()))
            .toList();
    return new Change(
        change.position(),
        change.id(),
        change.endpoint(),
        change.at(),
        change.high(),
        change.version(),
        facts);
  }

  @Override
  public synchronized Optional<Endpoint> endpoint(EndpointName name) {
    return Optional.ofNullable(endpoints.get(name));
  }

  @Override
  public synchronized List<Kept> history(
      EndpointName name, String slot, long afterSequence, int limit) {
    return slots.getOrDefault(name, Map.of()).getOrDefault(slot, List.of()).stream()
        .filter(kept -> kept.sequence() > afterSequence)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<Change> trail(
      String slot, @Nullable EndpointName name, long after, int limit) {
    return trail(feed.stream().filter(c -> c.position() > after), slot, name, limit);
  }

  @Override
  public synchronized List<Change> trailBack(
      String slot, @Nullable EndpointName name, long before, int limit) {
    return trail(feed.reversed().stream().filter(c -> c.position() < before), slot, name, limit);
  }

  private static List<Change> trail(
      Stream<Change> changes, String slot, @Nullable EndpointName name, int limit) {
    return changes
        .filter(c -> name == null || name.equals(c.endpoint()))
        .filter(c -> c.facts().stream().anyMatch(f -> f.slot().equals(slot)))
        .limit(limit)
        .map(
            c ->
                new Change(
                    c.position(),
                    c.id(),
                    c.endpoint(),
                    c.at(),
                    c.high(),
                    c.version(),
                    c.facts().stream().filter(f -> f.slot().equals(slot)).toList()))
        .toList();
  }

  /** How many endpoints it knows. */
  synchronized int size() {
    return endpoints.size();
  }

  @Override
  public void close() {}
}
