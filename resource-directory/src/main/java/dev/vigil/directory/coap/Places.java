package dev.vigil.directory.coap;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.californium.core.network.KeyMID;
import org.jspecify.annotations.Nullable;

/**
 * What was made of the last messages that came, to tell repetitions by (RFC 7252 section 4.5): a
 * table in which a message has one place, chosen by its sender and its ID, and takes it from
 * whoever had it.
 *
 * <p>So whoever sends from any number of addresses, or picks those whose hashes are the same, costs
 * no more memory and no longer a search than anybody else. What that drives out is only forgotten
 * early: its repetition is carried out once more, which changes nothing, since numbers and versions
 * are judged by the store.
 */
final class Places<V> {
  /** A power of two. */
  private static final int PLACES = 4096;

  private static final long SWEEP_SECONDS = 60;

  private record Seen<V>(KeyMID key, V value, long at) {}

  private final AtomicReferenceArray<@Nullable Seen<V>> places = new AtomicReferenceArray<>(PLACES);
  private final long lifetime;
  private final LongSupplier nanos;

  /**
   * @param lifetime how long a message may be repeated, in nanoseconds (EXCHANGE_LIFETIME)
   * @param nanos a clock that only runs ahead
   */
  Places(long lifetime, LongSupplier nanos) {
    this.lifetime = lifetime;
    this.nanos = nanos;
  }

  /** What was made of the same message before; null when it is new, and from now on remembered. */
  @Nullable V claim(KeyMID key, V value) {
    return claim(key, value, any -> true);
  }

  /**
   * @param fits whether what is remembered under the key is the same message
   */
  @Nullable V claim(KeyMID key, V value, Predicate<V> fits) {
    Seen<V> now = new Seen<>(key, value, nanos.getAsLong());
    int place = place(key);
    while (true) {
      Seen<V> there = places.get(place);
      if (there != null
          && there.key().equals(key)
          && !isOver(there, now.at())
          && fits.test(there.value())) {
        return there.value();
      }
      if (places.compareAndSet(place, there, now)) {
        return null;
      }
    }
  }

  void put(KeyMID key, V value) {
    places.set(place(key), new Seen<>(key, value, nanos.getAsLong()));
  }

  @Nullable V find(KeyMID key) {
    Seen<V> there = places.get(place(key));
    return there != null && there.key().equals(key) ? there.value() : null;
  }

  /** Lets go of what cannot be repeated any more, from now on and until it is cancelled. */
  ScheduledFuture<?> sweepFrom(ScheduledExecutorService timer) {
    return timer.scheduleWithFixedDelay(
        this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  void sweep() {
    long now = nanos.getAsLong();
    for (int i = 0; i < PLACES; i++) {
      Seen<V> there = places.get(i);
      if (there != null && isOver(there, now)) {
        places.compareAndSet(i, there, null);
      }
    }
  }

  int size() {
    int size = 0;
    for (int i = 0; i < PLACES; i++) {
      if (places.get(i) != null) {
        size++;
      }
    }
    return size;
  }

  void clear() {
    for (int i = 0; i < PLACES; i++) {
      places.set(i, null);
    }
  }

  private boolean isOver(Seen<V> seen, long now) {
    return now - seen.at() >= lifetime;
  }

  /** Spreads peers with neighbouring addresses, each counting its messages up. */
  private static int place(KeyMID key) {
    int mixed = key.getPeer().hashCode() * 0x9e3779b1 + key.getMID() * 0x85ebca6b;
    return (mixed ^ mixed >>> 15) & PLACES - 1;
  }
}
