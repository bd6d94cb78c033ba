package dev.vigil.gateway.records;

import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** The records of one kind: a projection of the store's feed, and changes with compare-and-set. */
public final class RecordSet<T> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RecordSet.class);
  private static final String SLOT = "record/";

  /** The maximum length of an id in characters. */
  public static final int MAX_ID = 256;

  private final EndpointName name;
  private final RecordCodec<T> codec;
  private final RecordWriter<T> writer;
  private final ConcurrentSkipListMap<String, Versioned<T>> present = new ConcurrentSkipListMap<>();
  private final List<Consumer<RecordChange<T>>> listeners = new CopyOnWriteArrayList<>();

  /** Guards the order of changes and listeners. */
  private final ReentrantLock lock = new ReentrantLock();

  private Store.@Nullable Subscription following;

  private RecordSet(EndpointName name, RecordCodec<T> codec, Store store, int max, Clock clock) {
    this.name = name;
    this.codec = codec;
    this.writer = new RecordWriter<>(new RecordWriter.Place(store, name, max, clock), this, codec);
  }

  static <T> RecordSet<T> follow(
      Store store, EndpointName name, Class<T> type, int max, Clock clock) {
    RecordSet<T> set = new RecordSet<>(name, new RecordCodec<>(type), store, max, clock);
    set.following = store.changes(name, 0, set::apply);
    return set;
  }

  Class<T> type() {
    return codec.type();
  }

  static String slot(String id) {
    return SLOT + id;
  }

  static boolean isRecord(Fact fact) {
    return fact.slot().startsWith(SLOT);
  }

  static String id(Fact fact) {
    return fact.slot().substring(SLOT.length());
  }

  /** Applies the next change of the feed. */
  private void apply(Change change) {
    lock.lock();
    try {
      for (Fact fact : change.facts()) {
        if (isRecord(fact)) {
          apply(change, id(fact), fact);
        }
      }
    } finally {
      lock.unlock();
    }
    writer.reached(change.version());
  }

  private void apply(Change change, String id, Fact fact) {
    @Nullable Versioned<T> after;
    try {
      after =
          fact.isNone()
              ? null
              : new Versioned<>(id, change.position(), change.at(), codec.read(fact.body()));
    } catch (JacksonException e) {
      // The exception's text may quote the record, which may contain secrets.
      log.error(
          "skipped {} at position {}: this version cannot read it ({}); the record keeps its former state",
          this,
          change.position(),
          e.getClass().getSimpleName());
      return;
    }
    Versioned<T> before = after == null ? present.remove(id) : present.put(id, after);
    if (before == null && after == null) {
      return;
    }
    RecordChange<T> changed = new RecordChange<>(id, change.position(), before, after);
    listeners.forEach(listener -> notifyListener(listener, changed));
  }

  private void notifyListener(Consumer<RecordChange<T>> listener, RecordChange<T> change) {
    try {
      listener.accept(change);
    } catch (RuntimeException e) {
      log.error("a listener of {} failed at position {}", this, change.position(), e);
    }
  }

  public Optional<Versioned<T>> get(String id) {
    return Optional.ofNullable(present.get(id));
  }

  /** All records, ordered by id. */
  public List<Versioned<T>> all() {
    return List.copyOf(present.values());
  }

  /**
   * The records in descending order of id.
   *
   * @param before only records with a lower id; null: from the highest
   */
  public Stream<Versioned<T>> descending(@Nullable String before) {
    NavigableMap<String, Versioned<T>> part =
        before == null ? present : present.headMap(before, false);
    return part.descendingMap().values().stream();
  }

  public int size() {
    return present.size();
  }

  /** Whether a record is short enough to be stored. */
  public boolean fits(T value) {
    return codec.fits(value);
  }

  /**
   * Creates or replaces a record.
   *
   * @param id chosen by the caller, 1 to 256 characters
   * @param version the record's version that the change is based on; 0: the record must not exist;
   *     empty: any version
   * @return completes when the outcome is certain, on the store's thread or immediately
   * @throws IllegalArgumentException when the id or the record is too long
   */
  public CompletableFuture<Outcome> put(String id, T value, OptionalLong version, Audit audit) {
    return put(id, value, version, () -> true, audit);
  }

  /**
   * The same, if a condition of the records holds. It is asked again if another gateway wrote
   * first, and must not block.
   *
   * @return {@link Outcome.Conflict} also if the condition does not hold
   */
  public CompletableFuture<Outcome> put(
      String id, T value, OptionalLong version, BooleanSupplier condition, Audit audit) {
    if (id.isEmpty() || id.length() > MAX_ID) {
      throw new IllegalArgumentException("the id of a record has 1 to " + MAX_ID + " characters");
    }
    return writer.submit(id, value, version, condition, audit);
  }

  /**
   * Removes a record.
   *
   * @param version as above
   */
  public CompletableFuture<Outcome> remove(String id, OptionalLong version, Audit audit) {
    return writer.submit(id, null, version, () -> true, audit);
  }

  /**
   * Calls a listener with every present record on the calling thread, then with every change, in
   * order, on the store's feed thread. The listener must not block.
   */
  public Store.Subscription onChange(Consumer<RecordChange<T>> listener) {
    lock.lock();
    try {
      present
          .values()
          .forEach(
              record ->
                  listener.accept(new RecordChange<>(record.id(), record.version(), null, record)));
      listeners.add(listener);
    } finally {
      lock.unlock();
    }
    return () -> listeners.remove(listener);
  }

  @Override
  public void close() {
    Store.Subscription open = following;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public String toString() {
    return "records of kind " + Records.kind(name);
  }
}
