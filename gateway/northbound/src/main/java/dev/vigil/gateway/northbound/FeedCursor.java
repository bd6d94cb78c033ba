package dev.vigil.gateway.northbound;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The durable cursor of one destination on the feed. The feed's thread counts pending readings; the
 * destination's thread reads them in pages. If a counted reading is no longer in the store when the
 * cursor reaches it, retention has removed it. Such readings are counted as lost.
 *
 * <p>The cursor is stored at most once a second. After a crash, up to a second of changes is
 * delivered again. It is stored only if nobody else has stored it: a gateway that does not know yet
 * that another one delivers cannot move the cursor back.
 */
final class FeedCursor {
  /** Number of changes in a page; a destination holds one page in memory. */
  private static final int PAGE = 64;

  private static final long SAVE_NANOS = 1_000_000_000L;

  private enum Phase {
    SUSPENDED,
    OPEN,
    /** Changes that are being delivered still count. */
    FINISHING,
    /** Another gateway has stored the cursor since it was opened. */
    OVERTAKEN,
    CLOSED
  }

  private final Destination destination;
  private final Store store;
  private final RecordSet<StoredCursor> records;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock, like the following fields. */
  private StoredCursor state = StoredCursor.at(0);

  private @Nullable Instant oldest;
  private boolean dirty;
  private long savedAt;
  private Phase phase = Phase.SUSPENDED;
  private Store.@Nullable Subscription following;

  /** The version of the stored cursor; 0 if there is none. */
  private long version;

  /** The last attempt to store the cursor; the next attempt waits for it. */
  private CompletableFuture<?> stored = CompletableFuture.completedFuture(null);

  FeedCursor(
      Destination destination,
      Store store,
      RecordSet<StoredCursor> records,
      LongSupplier nanoTime) {
    this.destination = destination;
    this.store = store;
    this.records = records;
    this.nanoTime = nanoTime;
  }

  /**
   * Follows the feed from the stored cursor.
   *
   * @param newest position of the newest change; a new destination begins there
   */
  synchronized void open(long newest) {
    Versioned<StoredCursor> found = records.get(destination.name()).orElse(null);
    StoredCursor begin =
        found == null ? StoredCursor.at(destination.replay() ? 0 : newest) : found.value();
    lock.lock();
    try {
      state = begin;
      version = found == null ? 0 : found.version();
      oldest = null;
      savedAt = nanoTime.getAsLong() - SAVE_NANOS;
      dirty = found == null;
      phase = Phase.OPEN;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    following = store.changes(begin.counted(), this::count);
    saveIfDue();
  }

  /**
   * Waits until changes may be delivered.
   *
   * @return false if that takes too long, and after {@link #close}
   */
  boolean awaitOpen(long waitMillis) throws InterruptedException {
    openAgain();
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(waitMillis);
      while (phase != Phase.OPEN && phase != Phase.CLOSED && left > 0) {
        left = changed.awaitNanos(left);
      }
      return phase == Phase.OPEN;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins where the previously delivering gateway ended, if that gateway stored its last cursor
   * late.
   */
  private synchronized void openAgain() {
    if (is(Phase.OVERTAKEN)) {
      unfollow();
      open(0);
    }
  }

  private void unfollow() {
    Store.Subscription former = following;
    following = null;
    if (former != null) {
      former.close();
    }
  }

  /** Returns no more changes; changes that are being delivered still count. */
  void finish() {
    end(Phase.FINISHING);
  }

  /** Ends deliveries until the cursor is opened again. */
  void suspend() {
    end(Phase.SUSPENDED);
  }

  /** Stops following the feed and ends all waits. */
  void close() {
    end(Phase.CLOSED);
  }

  private synchronized void end(Phase next) {
    unfollow();
    lock.lock();
    try {
      phase = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether changes may be delivered now. */
  boolean isOpen() {
    return is(Phase.OPEN);
  }

  boolean isClosed() {
    return is(Phase.CLOSED);
  }

  private boolean is(Phase one) {
    lock.lock();
    try {
      return phase == one;
    } finally {
      lock.unlock();
    }
  }

  /** Called on the feed's thread. */
  private void count(Change change) {
    boolean concerns = destination.concerns(change);
    int readings = concerns ? destination.readings(change) : 0;
    lock.lock();
    try {
      boolean idle = !state.hasWork();
      state = state.withCounted(change.position(), concerns, readings);
      if (concerns) {
        dirty = true;
        oldest = idle ? change.at() : oldest;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next changes to deliver.
   *
   * @return empty when no change came within that time, when a page had none, or after {@link
   *     #close}
   */
  List<Change> next(long waitMillis) throws InterruptedException {
    saveIfDue();
    StoredCursor from = awaitWork(waitMillis);
    if (from.last() <= from.position()) {
      return List.of();
    }
    List<Change> page = store.page(from.position(), PAGE);
    boolean whole = page.size() < PAGE || page.getLast().position() >= from.counted();
    List<Change> wanted =
        page.stream()
            .filter(one -> one.position() <= from.counted() && destination.concerns(one))
            .toList();
    lock.lock();
    try {
      if (whole) {
        long present = wanted.stream().mapToLong(destination::readings).sum();
        if (from.waiting() > present) {
          state = state.withLost(from.waiting() - present);
          dirty = true;
        }
      }
      if (wanted.isEmpty()) {
        state = state.skippedTo(whole ? from.counted() : page.getLast().position());
      } else {
        oldest = wanted.getFirst().at();
      }
    } finally {
      lock.unlock();
    }
    return wanted;
  }

  private StoredCursor awaitWork(long waitMillis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(waitMillis);
      while (phase == Phase.OPEN && !state.hasWork() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (phase != Phase.OPEN) {
        return StoredCursor.at(0);
      }
      if (!state.hasWork()) {
        state = state.skippedTo(state.counted());
        oldest = null;
      }
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Moves past a change that the receiver has acknowledged. */
  void delivered(Change change) {
    lock.lock();
    try {
      if (phase == Phase.SUSPENDED || phase == Phase.OVERTAKEN) {
        throw new IllegalStateException("this gateway may no longer deliver");
      }
      state = state.withDelivered(change.position(), destination.readings(change));
      oldest = state.hasWork() ? change.at() : null;
      dirty = true;
    } finally {
      lock.unlock();
    }
  }

  /** Number of lost readings that were not reported to the receiver. */
  long unreported() {
    StoredCursor present = state();
    return present.lost() - present.reported();
  }

  /** Records how many lost readings were reported to the receiver. */
  void reported(long number) {
    lock.lock();
    try {
      state = state.withReported(state.reported() + number);
      dirty = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a time; returns early when the cursor is closed. */
  void pause(long millis) throws InterruptedException {
    saveIfDue();
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (phase == Phase.OPEN && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void saveIfDue() {
    boolean due;
    lock.lock();
    try {
      due = phase == Phase.OPEN && dirty && nanoTime.getAsLong() - savedAt >= SAVE_NANOS;
    } finally {
      lock.unlock();
    }
    if (due) {
      save();
    }
  }

  /** Stores the cursor; after a failure the next call tries again. */
  CompletableFuture<?> save() {
    lock.lock();
    try {
      savedAt = nanoTime.getAsLong();
      stored = stored.handle((done, thrown) -> null).thenCompose(former -> put());
      return stored;
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<?> put() {
    StoredCursor present;
    long expected;
    lock.lock();
    try {
      present = state;
      expected = version;
      dirty = false;
    } finally {
      lock.unlock();
    }
    return records
        .put(destination.name(), present, OptionalLong.of(expected), Audit.UNRECORDED)
        .thenAccept(this::settle);
  }

  private void settle(Outcome outcome) {
    lock.lock();
    try {
      switch (outcome) {
        case Outcome.Done(long stored) -> version = stored;
        case Outcome.Conflict _ -> phase = phase == Phase.OPEN ? Phase.OVERTAKEN : phase;
        default -> dirty = true;
      }
    } finally {
      lock.unlock();
    }
  }

  StoredCursor state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Time of the oldest undelivered change; null when there is none. */
  @Nullable Instant oldest() {
    lock.lock();
    try {
      return oldest;
    } finally {
      lock.unlock();
    }
  }
}
