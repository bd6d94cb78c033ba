package dev.vigil.coap.limits;

import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.limits.Source.Standing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The addresses whose senders recently proved to receive there (RFC 9175). Networks share a bounded
 * number of places ({@link FairPool}), so that a site with many addresses cannot displace all
 * others. An address stays until another one needs its place; each of its ports counts as proved
 * for five minutes. Safe for use by any number of threads.
 */
public final class VerifiedAddresses {
  /** As long as an Echo value is valid. */
  private static final long PROVED_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final int MAX_PORTS = 16;

  /**
   * @param ports the time of the last proof by port
   */
  private record Proofs(FairPool<SourceAddress>.Place place, Map<Integer, Long> ports) {}

  private final FairPool<SourceAddress> pool;
  private final Map<SourceAddress, Proofs> proofs = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  /**
   * @param capacity in addresses
   * @param nanoTime a monotonic clock, as {@link System#nanoTime}
   */
  public VerifiedAddresses(int capacity, LongSupplier nanoTime) {
    this.pool = new FairPool<>(new FairPool.Bounds(capacity, 0, capacity), proofs::remove);
    this.nanoTime = nanoTime;
  }

  /**
   * Records a source that its sender has proved; has no effect if its network has used up its
   * share.
   */
  public void add(InetSocketAddress source) {
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
  }

  /** Addresses are added one at a time, so that an address has only one place. */
  private synchronized @Nullable Proofs admit(SourceAddress address) {
    Proofs known = proofs.get(address);
    if (known != null) {
      return known;
    }
    FairPool<SourceAddress>.Place place =
        pool.admit(Source.of(Standing.VERIFIED, address), address);
    if (place == null) {
      return null;
    }
    Proofs added = new Proofs(place, new ConcurrentHashMap<>());
    proofs.put(address, added);
    return added;
  }

  /** Whether any port of the address was proved, however long ago. */
  public boolean contains(InetAddress address) {
    return proofs.containsKey(SourceAddress.of(address));
  }

  /** Whether this address and port was proved within the last five minutes. */
  public boolean isRecent(InetSocketAddress source) {
    Proofs known = proofs.get(SourceAddress.of(source.getAddress()));
    Long at = known == null ? null : known.ports().get(source.getPort());
    return at != null && nanoTime.getAsLong() - at < PROVED_NANOS;
  }
}
