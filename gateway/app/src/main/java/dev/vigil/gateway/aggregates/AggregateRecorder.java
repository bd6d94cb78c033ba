package dev.vigil.gateway.aggregates;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the numbers of the feed to the store's aggregates, each once. The endpoints are divided into
 * parts, each of which is written once a minute, one after the other, so that no write is long. For
 * each part, the store holds the position up to which it has the numbers; after a crash, later
 * changes are read again. A value is missing if the store drops it before it is read. That happens
 * only if the resource gets more new values than the store keeps.
 */
final class AggregateRecorder implements AggregatedNumbers {
  private static final Logger log = LoggerFactory.getLogger(AggregateRecorder.class);

  /** Changes that wait for this thread; each is at most as large as an update. */
  private static final int MAX_WAITING = 256;

  private static final int PAGE = 500;

  /**
   * The maximum number of pages that one step reads. After an older version has run, the backlog
   * may be long, and a stop must not wait for all of it.
   */
  private static final int MAX_PAGES = 20;

  /** Pending minutes of a part; bounds the memory and the work of one write. */
  private static final int MAX_PENDING = 1024;

  /** The time between writes of a part, so that numbers of the same minute are written together. */
  private static final long WRITE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The time after which a failed write is repeated. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long IDLE_MILLIS = 500;

  /** Older than every change, so it is skipped. */
  private static final Change NOTHING =
      new Change(0, "", new EndpointName("nothing", ""), Instant.EPOCH, 0, 0, List.of());

  private final Store store;
  private final AggregateStore aggregates;
  private final LongSupplier nanoTime;
  private final long idleMillis;
  private final BlockingQueue<Change> queue = new ArrayBlockingQueue<>(MAX_WAITING);

  /** The position of the newest change; written by the store's thread. */
  private volatile long newest;

  /** Guards the pending numbers of all parts together with the store's aggregates. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  private final List<Part> parts = new ArrayList<>();

  /** The position up to which the feed was read. Only the recorder's thread uses it. */
  private long position;

  private long failedAt;
  private boolean failing;

  /**
   * One part of the endpoints. Changed only by the recorder's thread, the numbers under the lock.
   */
  private static final class Part {
    final PendingNumbers pending = new PendingNumbers();

    /** The position up to which the store has this part. */
    long stored;

    long writtenAt;

    Part(long stored, long writtenAt) {
      this.stored = stored;
      this.writtenAt = writtenAt;
    }
  }

  AggregateRecorder(Store store, AggregateStore aggregates, LongSupplier nanoTime) {
    this(store, aggregates, nanoTime, IDLE_MILLIS);
  }

  /**
   * @param idleMillis how long a step waits for a change
   */
  AggregateRecorder(
      Store store, AggregateStore aggregates, LongSupplier nanoTime, long idleMillis) {
    this.store = store;
    this.aggregates = aggregates;
    this.nanoTime = nanoTime;
    this.idleMillis = idleMillis;
    long writtenAt = nanoTime.getAsLong();
    for (long stored : aggregates.positions()) {
      parts.add(new Part(stored, writtenAt));
      // The parts take turns.
      writtenAt -= WRITE_NANOS / AggregateStore.PARTS;
    }
    this.position = parts.stream().mapToLong(part -> part.stored).min().orElse(0);
  }

  /**
   * Follows the feed; earlier changes are read by {@link #step}.
   *
   * @param from the position of a recent change
   */
  Store.Subscription follow(long from) {
    newest = from;
    return store.changes(from, this::heard);
  }

  /** Called on the store's thread. A change that does not fit is read from the store later. */
  private void heard(Change change) {
    newest = change.position();
    boolean _ = queue.offer(change);
  }

  /** Ends the waiting of the next or the present {@link #step}. */
  void wake() {
    // A full queue wakes it, too.
    boolean _ = queue.offer(NOTHING);
  }

  /**
   * Takes the changes that have arrived, after a short wait for them, and writes the parts that are
   * due.
   */
  void step() throws InterruptedException {
    Change first = queue.poll(idleMillis, TimeUnit.MILLISECONDS);
    if (first != null) {
      List<Change> changes = new ArrayList<>(List.of(first));
      queue.drainTo(changes);
      for (Change change : changes) {
        if (!readUpTo(change.position() - 1) || !add(change)) {
          // The rest is read from the store later.
          break;
        }
      }
    } else {
      readUpTo(newest);
    }
    parts.stream().filter(this::isDue).forEach(this::write);
  }

  /**
   * Reads the changes that did not fit into the queue.
   *
   * @return false when some are left: they are many, or the store does not write
   */
  private boolean readUpTo(long target) {
    for (int pages = 0; position < target; pages++) {
      if (pages == MAX_PAGES) {
        return false;
      }
      List<Change> page =
          store.page(position, PAGE).stream()
              .filter(change -> change.position() <= target)
              .toList();
      for (Change change : page) {
        if (!add(change)) {
          return false;
        }
      }
      if (page.size() < PAGE) {
        position = target;
      }
    }
    return true;
  }

  private boolean add(Change change) {
    if (change.position() <= position) {
      return true;
    }
    Part part = parts.get(AggregateStore.part(change.endpoint()));
    if (part.pending.size() >= MAX_PENDING && !write(part)) {
      return false;
    }
    position = change.position();
    if (position <= part.stored) {
      return true;
    }
    lock.writeLock().lock();
    try {
      part.pending.add(change);
    } catch (RuntimeException e) {
      log.error(
          "change {} of {} is not aggregated: it cannot be read",
          change.position(),
          change.endpoint().ep(),
          e);
    } finally {
      lock.writeLock().unlock();
    }
    return true;
  }

  private boolean isDue(Part part) {
    return part.pending.hasRemovals()
        || part.pending.size() >= MAX_PENDING
        || !part.pending.isEmpty() && nanoTime.getAsLong() - part.writtenAt >= WRITE_NANOS;
  }

  /** Writes everything that is pending. */
  void write() {
    parts.stream().filter(part -> !part.pending.isEmpty()).forEach(this::write);
    if (parts.stream().anyMatch(part -> part.stored < position)) {
      write(parts.getFirst());
    }
  }

  /**
   * Writes the pending numbers of a part, and the positions of all parts that have no pending
   * numbers. Readers wait meanwhile, so that they see each number once.
   *
   * @return whether it succeeded
   */
  private boolean write(Part written) {
    if (failing && nanoTime.getAsLong() - failedAt < RETRY_NANOS) {
      return false;
    }
    List<Long> positions =
        parts.stream()
            .map(
                part ->
                    part == written || part.pending.isEmpty()
                        ? Math.max(position, part.stored)
                        : part.stored)
            .toList();
    lock.writeLock().lock();
    try {
      aggregates.add(written.pending.additions(positions)).join();
      written.pending.written();
      for (int i = 0; i < positions.size(); i++) {
        parts.get(i).stored = positions.get(i);
      }
      failing = false;
      return true;
    } catch (StoreException | CompletionException e) {
      failedAt = nanoTime.getAsLong();
      if (!failing) {
        failing = true;
        log.warn("aggregates could not be written; trying again: {}", e.getMessage());
      }
      return false;
    } finally {
      written.writtenAt = nanoTime.getAsLong();
      lock.writeLock().unlock();
    }
  }

  private PendingNumbers pending(EndpointName endpoint) {
    return parts.get(AggregateStore.part(endpoint)).pending;
  }

  @Override
  public Optional<Instant> since(EndpointName endpoint, String path) {
    PendingNumbers pending = pending(endpoint);
    lock.readLock().lock();
    try {
      OptionalLong stored =
          pending.hasRemovals(endpoint, path)
              ? oldestDay(pending, endpoint, path)
              : aggregates.oldest(endpoint, path);
      return Stream.concat(
              stored.stream().boxed(),
              pending.of(endpoint, path, Resolution.MINUTE, 0, Long.MAX_VALUE).stream()
                  .map(Entry::start))
          .min(Long::compare)
          .map(Instant::ofEpochSecond);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The start of the oldest day that still counts while a removal is not written yet. */
  private OptionalLong oldestDay(PendingNumbers pending, EndpointName endpoint, String path) {
    return stored(pending, endpoint, path, Resolution.DAY, 0, Long.MAX_VALUE, Integer.MAX_VALUE)
        .mapToLong(Entry::start)
        .min();
  }

  /** The store's aggregates that still count. */
  private Stream<Entry> stored(
      PendingNumbers pending,
      EndpointName endpoint,
      String path,
      Resolution resolution,
      long from,
      long to,
      int limit) {
    return aggregates.read(endpoint, path, resolution, from, to, limit).stream()
        .filter(entry -> !pending.isRemoved(entry.series()));
  }

  @Override
  public List<Entry> read(
      EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit) {
    PendingNumbers pending = pending(endpoint);
    lock.readLock().lock();
    try {
      List<Entry> entries =
          new ArrayList<>(stored(pending, endpoint, path, resolution, from, to, limit).toList());
      entries.addAll(pending.of(endpoint, path, resolution, from, to));
      return entries;
    } finally {
      lock.readLock().unlock();
    }
  }
}
