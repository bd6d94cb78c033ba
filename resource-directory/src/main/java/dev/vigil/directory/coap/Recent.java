package dev.vigil.directory.coap;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.deduplication.Deduplicator;
import org.jspecify.annotations.Nullable;

/**
 * The last messages that came, to tell repetitions by (RFC 7252 section 4.5): a table in which a
 * message has one place, chosen by its sender and its ID, and takes it from whoever had it.
 *
 * <p>So whoever sends from any number of addresses, or picks those whose hashes are the same, costs
 * no more memory and no longer a search than anybody else. What that drives out is only forgotten
 * early: its repetition is carried out once more, which changes nothing, since numbers and versions
 * are judged by the store.
 */
final class Recent implements Deduplicator {
  /** A power of two. Each holds 2 KB, which a collector has to carry along. */
  private static final int PLACES = 4096;

  private static final long SWEEP_SECONDS = 60;

  private record Seen(KeyMID key, Exchange exchange, long at) {}

  private final AtomicReferenceArray<@Nullable Seen> places = new AtomicReferenceArray<>(PLACES);
  private final long lifetime;
  private final LongSupplier nanos;
  private @Nullable ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> sweeping;

  /**
   * @param lifetime how long a message may be repeated, in nanoseconds (EXCHANGE_LIFETIME)
   * @param nanos a clock that only runs ahead
   */
  Recent(long lifetime, LongSupplier nanos) {
    this.lifetime = lifetime;
    this.nanos = nanos;
  }

  @Override
  public synchronized void setExecutor(ScheduledExecutorService executor) {
    timer = executor;
  }

  @Override
  public synchronized void start() {
    if (timer != null && sweeping == null) {
      sweeping =
          timer.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public synchronized void stop() {
    if (sweeping != null) {
      sweeping.cancel(false);
      sweeping = null;
    }
    clear();
  }

  /** The exchange that the message began; null when it is new, and from now on remembered. */
  @Override
  public @Nullable Exchange findPrevious(KeyMID key, Exchange exchange) {
    Seen now = new Seen(key, exchange, nanos.getAsLong());
    int place = place(key);
    while (true) {
      Seen there = places.get(place);
      // A peer may use an ID for a request to us while we use it for one to the peer.
      if (there != null
          && there.key().equals(key)
          && !isOver(there, now.at())
          && there.exchange().getOrigin() == exchange.getOrigin()) {
        return there.exchange();
      }
      if (places.compareAndSet(place, there, now)) {
        return null;
      }
    }
  }

  @Override
  public boolean replacePrevious(KeyMID key, Exchange previous, Exchange exchange) {
    places.set(place(key), new Seen(key, exchange, nanos.getAsLong()));
    return true;
  }

  @Override
  public @Nullable Exchange find(KeyMID key) {
    Seen there = places.get(place(key));
    return there != null && there.key().equals(key) ? there.exchange() : null;
  }

  /** Lets go of what cannot be repeated any more. */
  void sweep() {
    long now = nanos.getAsLong();
    for (int i = 0; i < PLACES; i++) {
      Seen there = places.get(i);
      if (there != null && isOver(there, now)) {
        places.compareAndSet(i, there, null);
      }
    }
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public int size() {
    int size = 0;
    for (int i = 0; i < PLACES; i++) {
      if (places.get(i) != null) {
        size++;
      }
    }
    return size;
  }

  @Override
  public void clear() {
    for (int i = 0; i < PLACES; i++) {
      places.set(i, null);
    }
  }

  private boolean isOver(Seen seen, long now) {
    return now - seen.at() >= lifetime;
  }

  /** Spreads peers with neighbouring addresses, each counting its messages up. */
  private static int place(KeyMID key) {
    int mixed = key.getPeer().hashCode() * 0x9e3779b1 + key.getMID() * 0x85ebca6b;
    return (mixed ^ mixed >>> 15) & PLACES - 1;
  }
}
