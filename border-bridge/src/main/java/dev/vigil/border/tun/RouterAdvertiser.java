package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.RouterAdvertisement;
import dev.vigil.border.wire.WireException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Sends router advertisements for the mesh prefix to the hosts at the interface (RFC 4861, section
 * 6.2.4): three at intervals of 16 s, then one every 200 to 600 s. It also sends one for each
 * solicitation (RFC 4861, section 6.2.6), but at most one in 3 s. A TUN interface has one host at
 * its other end, so a solicitation is answered without random delay.
 *
 * <p>States: beginning (three advertisements to go), steady, withdrawn. Pure: one thread.
 */
public final class RouterAdvertiser {
  private static final int INITIAL_COUNT = 3;
  private static final long INITIAL_MILLIS = 16_000;
  private static final long MIN_MILLIS = 200_000;
  private static final long MAX_MILLIS = 600_000;
  private static final long MIN_DELAY_MILLIS = 3_000;

  /** Three times the longest interval, so that two advertisements may be lost. */
  private static final long ROUTE_SECONDS = 3 * MAX_MILLIS / 1_000;

  private final Ipv6Address prefix;
  private final Ipv6Address self;
  private final RandomGenerator random;
  private int initial = INITIAL_COUNT;
  private long nextAt;
  private long sentAt;

  /**
   * @param prefix of the mesh, 64 bits
   * @param self the router's link-local address
   */
  public RouterAdvertiser(
      Ipv6Address prefix, Ipv6Address self, RandomGenerator random, long nowMillis) {
    this.prefix = prefix;
    this.self = self;
    this.random = random;
    this.nextAt = nowMillis;
    this.sentAt = nowMillis - MIN_DELAY_MILLIS;
  }

  /** The multicast advertisement that is due, if any. */
  public Optional<Ipv6Packet> tick(long nowMillis) {
    if (nowMillis < nextAt) {
      return Optional.empty();
    }
    initial = Math.max(0, initial - 1);
    nextAt = nowMillis + (initial > 0 ? INITIAL_MILLIS : random.nextLong(MIN_MILLIS, MAX_MILLIS));
    return Optional.of(advertisement(Ipv6Address.ALL_NODES, nowMillis));
  }

  /**
   * Takes any packet from the interface.
   *
   * @return the advertisement that answers a solicitation
   */
  public Optional<Ipv6Packet> received(Ipv6Packet packet, long nowMillis) throws WireException {
    Ipv6Address to = packet.destination();
    boolean toRouter = to.equals(Ipv6Address.ALL_ROUTERS) || to.equals(self);
    if (!toRouter
        || nowMillis - sentAt < MIN_DELAY_MILLIS
        || !RouterAdvertisement.isSolicitation(packet)) {
      return Optional.empty();
    }
    Ipv6Address source = packet.source();
    return Optional.of(
        advertisement(source.isUnspecified() ? Ipv6Address.ALL_NODES : source, nowMillis));
  }

  private Ipv6Packet advertisement(Ipv6Address to, long nowMillis) {
    sentAt = nowMillis;
    return new RouterAdvertisement(prefix, ROUTE_SECONDS).packet(self, to);
  }

  /** The last advertisement, which withdraws the route (RFC 4861, section 6.2.5). */
  public Ipv6Packet withdrawal() {
    return new RouterAdvertisement(prefix, 0).packet(self, Ipv6Address.ALL_NODES);
  }
}
