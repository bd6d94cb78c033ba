package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.RouterAdvertisement;
import dev.vigil.border.wire.WireException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Tells the hosts at the interface where the mesh is (RFC 4861, sections 6.2.4 to 6.2.6): three
 * advertisements 16 s apart, then one in 200 to 600 s, and one for who asks, at most one in 3 s. A
 * TUN device has one host at its other end, so that an answer need not wait for others.
 *
 * <p>States: beginning (three to go), steady, over ({@link #last}). Pure: one thread.
 */
public final class Advertiser {
  private static final int INITIAL = 3;
  private static final long INITIAL_MILLIS = 16_000;
  private static final long MIN_MILLIS = 200_000;
  private static final long MAX_MILLIS = 600_000;
  private static final long BETWEEN_MILLIS = 3_000;

  /** Three times the longest interval: two may be lost. */
  private static final long ROUTE_SECONDS = 3 * MAX_MILLIS / 1_000;

  private final Ipv6Address prefix;
  private final Ipv6Address self;
  private final RandomGenerator random;
  private int initial = INITIAL;
  private long nextAt;
  private long sentAt;

  /**
   * @param prefix of the mesh, 64 bits
   * @param self the router's link-local address
   */
  public Advertiser(Ipv6Address prefix, Ipv6Address self, RandomGenerator random, long nowMillis) {
    this.prefix = prefix;
    this.self = self;
    this.random = random;
    this.nextAt = nowMillis;
    this.sentAt = nowMillis - BETWEEN_MILLIS;
  }

  /** Time has passed; perhaps it is time for an advertisement to all. */
  public Optional<Ipv6Packet> tick(long nowMillis) {
    if (nowMillis < nextAt) {
      return Optional.empty();
    }
    initial = Math.max(0, initial - 1);
    nextAt = nowMillis + (initial > 0 ? INITIAL_MILLIS : random.nextLong(MIN_MILLIS, MAX_MILLIS));
    return Optional.of(advertisement(Ipv6Address.ALL_NODES, nowMillis));
  }

  /**
   * A packet of the link that goes to this router or to all.
   *
   * @return the answer, if the packet asks for one
   */
  public Optional<Ipv6Packet> received(Ipv6Packet packet, long nowMillis) throws WireException {
    Ipv6Address to = packet.destination();
    boolean forUs = to.equals(Ipv6Address.ALL_ROUTERS) || to.equals(self);
    if (!forUs
        || nowMillis - sentAt < BETWEEN_MILLIS
        || !RouterAdvertisement.isSolicitation(packet)) {
      return Optional.empty();
    }
    Ipv6Address asker = packet.source();
    return Optional.of(
        advertisement(asker.isUnspecified() ? Ipv6Address.ALL_NODES : asker, nowMillis));
  }

  private Ipv6Packet advertisement(Ipv6Address to, long nowMillis) {
    sentAt = nowMillis;
    return new RouterAdvertisement(prefix, ROUTE_SECONDS).packet(self, to);
  }

  /** Takes the route back: the router goes away (section 6.2.5). */
  public Ipv6Packet last() {
    return new RouterAdvertisement(prefix, 0).packet(self, Ipv6Address.ALL_NODES);
  }
}
