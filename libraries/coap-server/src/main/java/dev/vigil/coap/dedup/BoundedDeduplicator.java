package dev.vigil.coap.dedup;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.LongSupplier;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.deduplication.Deduplicator;
import org.jspecify.annotations.Nullable;

/** Californium's deduplicator on a {@link DedupTable}. */
final class BoundedDeduplicator implements Deduplicator {
  private final DedupTable<Exchange> exchanges;

  // Guarded by this object's lock.
  private @Nullable ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> sweeps;

  /**
   * @param lifetime nanoseconds for which a message may be repeated (EXCHANGE_LIFETIME)
   * @param nanoTime a monotonic clock, as {@link System#nanoTime}
   */
  BoundedDeduplicator(long lifetime, LongSupplier nanoTime) {
    this.exchanges = new DedupTable<>(lifetime, nanoTime);
  }

  @Override
  public synchronized void setExecutor(ScheduledExecutorService executor) {
    timer = executor;
  }

  @Override
  public synchronized void start() {
    if (timer != null && sweeps == null) {
      sweeps = exchanges.scheduleSweeps(timer);
    }
  }

  @Override
  public synchronized void stop() {
    if (sweeps != null) {
      sweeps.cancel(false);
      sweeps = null;
    }
    clear();
  }

  @Override
  public @Nullable Exchange findPrevious(KeyMID key, Exchange exchange) {
    // A peer's request to this server and this server's request to the peer may have the same ID.
    return exchanges.putIfAbsent(key, exchange, known -> known.getOrigin() == exchange.getOrigin());
  }

  @Override
  public boolean replacePrevious(KeyMID key, Exchange previous, Exchange exchange) {
    exchanges.put(key, exchange);
    return true;
  }

  @Override
  public @Nullable Exchange find(KeyMID key) {
    return exchanges.find(key);
  }

  void sweep() {
    exchanges.sweep();
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public int size() {
    return exchanges.size();
  }

  @Override
  public void clear() {
    exchanges.clear();
  }
}
