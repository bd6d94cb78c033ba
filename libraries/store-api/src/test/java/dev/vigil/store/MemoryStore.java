package dev.vigil.store;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, for tests of the modules that use the port. It passes the writing and reading
 * contracts. Unlike a real adapter it calls followers on the submitting thread, so that a test sees
 * changes at once. {@link #open()} after {@link #close()} restores the former state, as a disk
 * does.
 */
public final class MemoryStore implements Store, OlderFacts {
  /** As many as the adapters on disk accept. */
  private static final int MAX_FACTS = 1024;

  private final Map<EndpointName, Endpoint> endpoints = new LinkedHashMap<>();
  private final Map<EndpointName, Map<String, Deque<Entry>>> slots = new HashMap<>();
  private final Map<Slot, Deque<HistoryEntry>> older = new LinkedHashMap<>();

  private final NavigableMap<Long, Stored> log = new TreeMap<>();
  private final List<Consumer<Change>> followers = new CopyOnWriteArrayList<>();
  private int historyReads;
  private boolean full;
  private boolean closed;
  private @Nullable List<Runnable> held;

  private record Slot(EndpointName name, String slot) {}

  /** A fact, and whether its slot still keeps it. */
  private static final class Entry {
    final HistoryEntry kept;
    final Fact fact;
    boolean superseded;

    Entry(HistoryEntry kept, Fact fact) {
      this.kept = kept;
      this.fact = fact;
    }
  }

  private record Stored(Change change, List<Entry> entries) {
    Change now() {
      List<Fact> facts =
          entries.stream().filter(entry -> !entry.superseded).map(entry -> entry.fact).toList();
      return with(facts);
    }

    Change with(List<Fact> facts) {
      return new Change(
          change.position(),
          change.id(),
          change.endpoint(),
          change.at(),
          change.high(),
          change.version(),
          facts);
    }
  }

  /** Opens a closed store again. */
  public synchronized MemoryStore open() {
    closed = false;
    return this;
  }

  /** A full store fails every write. */
  public synchronized void full(boolean isFull) {
    full = isFull;
  }

  /** Delays further batches until {@link #release}. */
  public synchronized void hold() {
    held = new ArrayList<>();
  }

  /** Writes the delayed batches in the order of their submission. */
  public synchronized void release() {
    List<Runnable> waiting = Objects.requireNonNull(held);
    held = null;
    waiting.forEach(Runnable::run);
  }

  /** The number of endpoints ever written. */
  public synchronized int size() {
    return endpoints.size();
  }

  @Override
  public synchronized CompletableFuture<SubmitResult> submit(Batch batch) {
    if (batch.facts().size() > MAX_FACTS) {
      throw new IllegalArgumentException("a batch has at most " + MAX_FACTS + " facts");
    }
    if (closed || full) {
      return CompletableFuture.failedFuture(
          new StoreException(closed ? "the store is closed" : "the disk is full"));
    }
    if (held != null) {
      CompletableFuture<SubmitResult> later = new CompletableFuture<>();
      held.add(() -> submit(batch).thenAccept(later::complete));
      return later;
    }
    return CompletableFuture.completedFuture(decide(batch));
  }

  private SubmitResult decide(Batch batch) {
    Endpoint before = endpoints.get(batch.endpoint());
    long high = before == null ? 0 : before.high();
    long version = before == null ? 0 : before.version();
    if (batch.sequence().isPresent() && batch.sequence().getAsLong() <= high) {
      return new SubmitResult.SequenceUsed(high);
    }
    if (batch.version().isPresent() && batch.version().getAsLong() != version) {
      return new SubmitResult.VersionMoved(version);
    }
    String id = before == null ? Integer.toString(endpoints.size() + 1) : before.id();
    long next = batch.sequence().orElse(high);
    endpoints.put(batch.endpoint(), new Endpoint(id, batch.endpoint(), next, version + 1));
    long position = log.isEmpty() ? 1 : log.lastKey() + 1;
    List<Entry> entries = batch.facts().stream().map(fact -> keep(batch, position, fact)).toList();
    Stored stored =
        new Stored(
            new Change(position, id, batch.endpoint(), batch.at(), next, version + 1, List.of()),
            entries);
    log.put(position, stored);
    Change change = stored.now();
    followers.forEach(follower -> follower.accept(change));
    return new SubmitResult.Committed(change);
  }

  private Entry keep(Batch batch, long position, Fact fact) {
    Entry entry =
        new Entry(
            new HistoryEntry(position, batch.sequence().orElse(0), batch.at(), fact.body()), fact);
    Deque<Entry> slot =
        slots
            .computeIfAbsent(batch.endpoint(), name -> new HashMap<>())
            .computeIfAbsent(fact.slot(), name -> new ArrayDeque<>());
    // An empty fact is also stored, because a resuming follower must learn that the slot was
    // cleared.
    int others = fact.isNone() ? 0 : fact.keep() - 1;
    Deque<HistoryEntry> old =
        older.computeIfAbsent(new Slot(batch.endpoint(), fact.slot()), any -> new ArrayDeque<>());
    while (slot.size() > others) {
      Entry oldest = slot.removeFirst();
      oldest.superseded = true;
      if (oldest.kept.sequence() > 0 && !oldest.fact.isNone()) {
        old.addLast(oldest.kept);
      }
    }
    if (!fact.keepsOlder()) {
      old.clear();
    }
    slot.addLast(entry);
    return entry;
  }

  @Override
  public synchronized Subscription changes(long after, Consumer<Change> follower) {
    page(after, Integer.MAX_VALUE).forEach(follower);
    followers.add(follower);
    return () -> followers.remove(follower);
  }

  @Override
  public synchronized List<Change> page(long after, int limit) {
    return log.tailMap(after, false).values().stream()
        .map(Stored::now)
        .filter(change -> !change.facts().isEmpty() || isNewest(change))
        .limit(limit)
        .toList();
  }

  private boolean isNewest(Change change) {
    return change.version() == Objects.requireNonNull(endpoints.get(change.endpoint())).version();
  }

  @Override
  public synchronized Optional<Endpoint> endpoint(EndpointName name) {
    if (closed) {
      throw new StoreException("the store is closed");
    }
    return Optional.ofNullable(endpoints.get(name));
  }

  /** How often the history of a slot was read. */
  public synchronized int historyReads() {
    return historyReads;
  }

  @Override
  public synchronized List<HistoryEntry> history(
      EndpointName name, String slot, long afterSequence, int limit) {
    historyReads++;
    return Stream.concat(
            older.getOrDefault(new Slot(name, slot), new ArrayDeque<>()).stream(),
            slots.getOrDefault(name, Map.of()).getOrDefault(slot, new ArrayDeque<>()).stream()
                .filter(entry -> !entry.fact.isNone())
                .map(entry -> entry.kept))
        .filter(entry -> entry.sequence() > afterSequence)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<HistoryEntry> historyBack(
      EndpointName name, String slot, long beforeSequence, int limit) {
    return history(name, slot, 0, Integer.MAX_VALUE).reversed().stream()
        .filter(entry -> entry.sequence() < beforeSequence)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized CompletableFuture<Removed> expire(Function<EndpointName, Instant> oldest) {
    long before = olderFacts();
    older.forEach(
        (slot, facts) -> facts.removeIf(fact -> fact.at().isBefore(oldest.apply(slot.name()))));
    return CompletableFuture.completedFuture(new Removed(before - olderFacts(), true));
  }

  @Override
  public synchronized CompletableFuture<Removed> shrink() {
    Map<EndpointName, Long> taken = new HashMap<>();
    older.forEach((slot, facts) -> taken.merge(slot.name(), octets(facts), Long::sum));
    long before = olderFacts();
    older.entrySet().stream()
        .max(Comparator.comparing(entry -> taken.getOrDefault(entry.getKey().name(), 0L)))
        .ifPresent(entry -> entry.getValue().pollFirst());
    return CompletableFuture.completedFuture(new Removed(before - olderFacts(), olderFacts() == 0));
  }

  private long olderFacts() {
    return older.values().stream().mapToLong(Deque::size).sum();
  }

  private static long octets(Deque<HistoryEntry> facts) {
    return facts.stream().mapToLong(fact -> fact.body().length).sum();
  }

  @Override
  public synchronized long octets() {
    return older.values().stream().mapToLong(MemoryStore::octets).sum();
  }

  @Override
  public synchronized List<Change> trail(
      String slot, @Nullable EndpointName name, long after, int limit) {
    return trail(log.tailMap(after, false).values(), slot, name, limit);
  }

  @Override
  public synchronized List<Change> trailBack(
      String slot, @Nullable EndpointName name, long before, int limit) {
    return trail(log.headMap(before, false).descendingMap().values(), slot, name, limit);
  }

  private static List<Change> trail(
      Collection<Stored> stored, String slot, @Nullable EndpointName name, int limit) {
    return stored.stream()
        .filter(one -> name == null || name.equals(one.change().endpoint()))
        .map(
            one -> one.with(one.now().facts().stream().filter(f -> f.slot().equals(slot)).toList()))
        .filter(change -> !change.facts().isEmpty())
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized void close() {
    closed = true;
    followers.clear();
  }
}
