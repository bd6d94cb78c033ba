package dev.vigil.coap.limits;

import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.limits.Source.Standing;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses whose senders recently proved to receive there (RFC 9175). Networks share a bounded
 * number of places ({@link FairPool}), so that a site with many addresses cannot displace all
 * others. An address stays until another one needs its place. Safe for use by any number of
 * threads.
 */
public final class VerifiedAddresses {
  private final FairPool<SourceAddress> pool;
  private final Map<SourceAddress, FairPool<SourceAddress>.Place> places =
      new ConcurrentHashMap<>();

  /**
   * @param capacity in addresses
   */
  public VerifiedAddresses(int capacity) {
    this.pool = new FairPool<>(new FairPool.Bounds(capacity, 0, capacity), places::remove);
  }

  /**
   * Records an address that its sender has proved; has no effect if its network has used up its
   * share.
   */
  public void add(InetAddress address) {
    SourceAddress shown = SourceAddress.of(address);
    FairPool<SourceAddress>.Place known = places.get(shown);
    if (known == null) {
      admit(shown);
    } else {
      known.touch();
    }
  }

  /** Addresses are added one at a time, so that an address has only one place. */
  private synchronized void admit(SourceAddress shown) {
    if (!places.containsKey(shown)) {
      FairPool<SourceAddress>.Place place = pool.admit(Source.of(Standing.VERIFIED, shown), shown);
      if (place != null) {
        places.put(shown, place);
      }
    }
  }

  public boolean contains(InetAddress address) {
    return places.containsKey(SourceAddress.of(address));
  }
}
