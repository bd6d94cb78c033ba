package dev.vigil.directory.coap;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.LongSupplier;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.deduplication.Deduplicator;
import org.jspecify.annotations.Nullable;

/** Californium's exchanges of the last messages, each in its one place. */
final class Recent implements Deduplicator {
  private final Places<Exchange> places;
  private @Nullable ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> sweeping;

  /**
   * @param lifetime how long a message may be repeated, in nanoseconds (EXCHANGE_LIFETIME)
   * @param nanos a clock that only runs ahead
   */
  Recent(long lifetime, LongSupplier nanos) {
    this.places = new Places<>(lifetime, nanos);
  }

  @Override
  public synchronized void setExecutor(ScheduledExecutorService executor) {
    timer = executor;
  }

  @Override
  public synchronized void start() {
    if (timer != null && sweeping == null) {
      sweeping = places.sweepFrom(timer);
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
    // A peer may use an ID for a request to us while we use it for one to the peer.
    return places.claim(key, exchange, there -> there.getOrigin() == exchange.getOrigin());
  }

  @Override
  public boolean replacePrevious(KeyMID key, Exchange previous, Exchange exchange) {
    places.put(key, exchange);
    return true;
  }

  @Override
  public @Nullable Exchange find(KeyMID key) {
    return places.find(key);
  }

  void sweep() {
    places.sweep();
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public int size() {
    return places.size();
  }

  @Override
  public void clear() {
    places.clear();
  }
}
