package dev.vigil.coap.limits;

import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.limits.Source.Standing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The addresses whose senders recently proved to receive there (RFC 9175). Networks share a bounded
 * number of places ({@link FairPool}), so that a site with many addresses cannot displace all
 * others. An address stays until another one needs its place; each of its ports counts as proved
 * for five minutes. If no network has more than its share, the address that was proved longest ago
 * gives way, once none of its ports counts as proved. Safe for use by any number of threads.
 */
public final class VerifiedAddresses {
  /** As long as an Echo value is valid. */
  private static final long PROVED_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final int MAX_PORTS = 16;

  /**
   * @param network the widest network of the address
   * @param ports the time of the last proof by port
   */
  private record Proofs(
      FairPool<SourceAddress>.Place place, SourcePrefix network, Map<Integer, Long> ports) {}

  private final int capacity;
  private final FairPool<SourceAddress> pool;
  private final Map<SourceAddress, Proofs> proofs = new ConcurrentHashMap<>();

  /** The same, the one proved longest ago first; guarded by this object's lock. */
  private final SequencedMap<SourceAddress, Proofs> oldestFirst = new LinkedHashMap<>();

  private final LongSupplier nanoTime;

  /**
   * @param capacity in addresses
   * @param nanoTime a monotonic clock, as {@link System#nanoTime}
   */
  public VerifiedAddresses(int capacity, LongSupplier nanoTime) {
    this.capacity = capacity;
    this.pool = new FairPool<>(new FairPool.Bounds(capacity, 0, capacity), this::forget);
    this.nanoTime = nanoTime;
  }

  /**
   * Records a source that its sender has proved; has no effect if its network has used up its share
   * and no older proof has expired.
   */
  public synchronized void add(InetSocketAddress source) {
    SourceAddress address = SourceAddress.of(source.getAddress());
    Proofs known = proofs.get(address);
    if (known == null) {
      known = admit(address);
    } else {
      known.place().touch();
    }
    if (known == null) {
      return;
    }
    if (known.ports().size() >= MAX_PORTS && !known.ports().containsKey(source.getPort())) {
      // The clients at the other ports are challenged once more.
      known.ports().clear();
    }
    known.ports().put(source.getPort(), nanoTime.getAsLong());
    oldestFirst.putLast(address, known);
  }

  private @Nullable Proofs admit(SourceAddress address) {
    Source source = Source.of(Standing.VERIFIED, address);
    FairPool<SourceAddress>.Place place = pool.admit(source, address);
    if (place == null && releaseExpired(source)) {
      place = pool.admit(source, address);
    }
    if (place == null) {
      return null;
    }
    Proofs added = new Proofs(place, source.prefixes().getFirst(), new ConcurrentHashMap<>());
    proofs.put(address, added);
    return added;
  }

  /**
   * Releases the place of the address that was proved longest ago, if its proof has expired. A
   * newcomer whose network has half of the places takes only places of that network.
   */
  private boolean releaseExpired(Source newcomer) {
    boolean large = 2 * pool.networkSize(newcomer) >= capacity;
    for (Proofs oldest : oldestFirst.values()) {
      if (oldest.ports().values().stream().anyMatch(this::isRecent)) {
        return false;
      }
      if (!large || oldest.network().equals(newcomer.prefixes().getFirst())) {
        oldest.place().release();
        forget(oldest.place().holder());
        return true;
      }
    }
    return false;
  }

  private synchronized void forget(SourceAddress address) {
    proofs.remove(address);
    oldestFirst.remove(address);
  }

  /** Whether any port of the address was proved, however long ago. */
  public boolean contains(InetAddress address) {
    return proofs.containsKey(SourceAddress.of(address));
  }

  /** Whether this address and port was proved within the last five minutes. */
  public boolean isRecent(InetSocketAddress source) {
    Proofs known = proofs.get(SourceAddress.of(source.getAddress()));
    Long at = known == null ? null : known.ports().get(source.getPort());
    return at != null && isRecent(at);
  }

  private boolean isRecent(long provedAt) {
    return nanoTime.getAsLong() - provedAt < PROVED_NANOS;
  }
}
