package dev.vigil.coap.dedup;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.californium.core.network.KeyMID;
import org.jspecify.annotations.Nullable;

/**
 * Recent messages, by source and message ID, to detect duplicates (RFC 7252 section 4.5). The table
 * has a fixed size. A message has exactly one slot, chosen by its hash, and replaces the entry in
 * that slot.
 *
 * <p>A sender with any number of addresses, or with addresses of equal hashes, therefore costs
 * neither more memory nor a longer search. A replaced entry is merely forgotten early. Its
 * duplicate is then carried out again; resources must tolerate this, for instance by checking
 * sequence numbers.
 *
 * @param <V> the outcome of a message
 */
public final class DedupTable<V> {
  /** A power of two. */
  private static final int SLOTS = 4096;

  private static final long SWEEP_SECONDS = 60;

  private record Entry<V>(KeyMID key, V value, long nanos) {}

  private final AtomicReferenceArray<@Nullable Entry<V>> slots = new AtomicReferenceArray<>(SLOTS);
  private final long lifetime;
  private final LongSupplier nanoTime;

  /**
   * @param lifetime nanoseconds for which a message may be repeated (EXCHANGE_LIFETIME of RFC 7252
   *     section 4.8.2)
   * @param nanoTime a monotonic clock, as {@link System#nanoTime}
   */
  public DedupTable(long lifetime, LongSupplier nanoTime) {
    this.lifetime = lifetime;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns the value of an earlier copy of the message, or stores the value and returns null if
   * the message is new.
   */
  public @Nullable V putIfAbsent(KeyMID key, V value) {
    return putIfAbsent(key, value, known -> true);
  }

  /**
   * @param sameMessage whether a stored value of equal key belongs to the same message
   */
  public @Nullable V putIfAbsent(KeyMID key, V value, Predicate<V> sameMessage) {
    Entry<V> added = new Entry<>(key, value, nanoTime.getAsLong());
    int slot = slot(key);
    while (true) {
      Entry<V> known = slots.get(slot);
      if (known != null
          && known.key().equals(key)
          && !isExpired(known, added.nanos())
          && sameMessage.test(known.value())) {
        return known.value();
      }
      if (slots.compareAndSet(slot, known, added)) {
        return null;
      }
    }
  }

  /**
   * Forgets the message with this same value object; does nothing if another message has taken its
   * slot.
   */
  public void remove(KeyMID key, V value) {
    int slot = slot(key);
    Entry<V> known = slots.get(slot);
    if (known != null && known.value() == value) {
      slots.compareAndSet(slot, known, null);
    }
  }

  void put(KeyMID key, V value) {
    slots.set(slot(key), new Entry<>(key, value, nanoTime.getAsLong()));
  }

  @Nullable V find(KeyMID key) {
    Entry<V> known = slots.get(slot(key));
    return known != null && known.key().equals(key) ? known.value() : null;
  }

  /** Removes expired entries periodically until the returned future is cancelled. */
  public ScheduledFuture<?> scheduleSweeps(ScheduledExecutorService timer) {
    return timer.scheduleWithFixedDelay(
        this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  void sweep() {
    long now = nanoTime.getAsLong();
    for (int i = 0; i < SLOTS; i++) {
      Entry<V> known = slots.get(i);
      if (known != null && isExpired(known, now)) {
        slots.compareAndSet(i, known, null);
      }
    }
  }

  int size() {
    int size = 0;
    for (int i = 0; i < SLOTS; i++) {
      if (slots.get(i) != null) {
        size++;
      }
    }
    return size;
  }

  void clear() {
    for (int i = 0; i < SLOTS; i++) {
      slots.set(i, null);
    }
  }

  private boolean isExpired(Entry<V> entry, long now) {
    return now - entry.nanos() >= lifetime;
  }

  /** Spreads neighbouring addresses and ascending message IDs over the table. */
  private static int slot(KeyMID key) {
    int mixed = key.getPeer().hashCode() * 0x9e3779b1 + key.getMID() * 0x85ebca6b;
    return (mixed ^ mixed >>> 15) & SLOTS - 1;
  }
}
