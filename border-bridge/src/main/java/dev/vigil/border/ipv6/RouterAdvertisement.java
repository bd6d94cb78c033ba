package dev.vigil.border.ipv6;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * A router advertisement for the mesh prefix (RFC 4861, section 4.2): on-link prefix without
 * address autoconfiguration, MTU, and a route (RFC 4191, section 2.3). Never a default router: the
 * mesh leads to no other network.
 *
 * @param prefix 64 bits
 * @param routeSeconds lifetime of the route; 0 withdraws it
 */
public record RouterAdvertisement(Ipv6Address prefix, long routeSeconds) {
  public static final int SOLICITATION = 133;
  public static final int ADVERTISEMENT = 134;

  /** Proves that the packet crossed no router (RFC 4861, section 6.1). */
  public static final int HOP_LIMIT = 255;

  private static final int PREFIX_BITS = 64;
  private static final int OPTION_SOURCE_LINK_LAYER = 1;
  private static final int OPTION_PREFIX = 3;
  private static final int OPTION_MTU = 5;
  private static final int OPTION_ROUTE = 24;
  private static final int ON_LINK = 0x80;
  private static final long INFINITE = 0xffffffffL;
  private static final int UNIT = 8;

  public Ipv6Packet packet(Ipv6Address from, Ipv6Address to) {
    WireWriter body = new WireWriter();
    // Hop limit, flags, router lifetime, reachable time, retransmission timer: unspecified.
    body.u8(0).u8(0).u16(0).u32(0).u32(0);
    body.u8(OPTION_PREFIX).u8(4).u8(PREFIX_BITS).u8(ON_LINK).u32(INFINITE).u32(INFINITE).u32(0);
    prefix.write(body);
    body.u8(OPTION_MTU).u8(1).u16(0).u32(Ipv6Packet.MIN_MTU);
    body.u8(OPTION_ROUTE).u8(2).u8(PREFIX_BITS).u8(0).u32(routeSeconds).u64(prefix.high());
    byte[] message = new Icmpv6(ADVERTISEMENT, 0, body.toBytes()).encode(from, to);
    return Ipv6Packet.of(from, to, HOP_LIMIT, Protocol.ICMPV6, message);
  }

  /** Whether a packet is a valid router solicitation (RFC 4861, section 6.1.1). */
  public static boolean isSolicitation(Ipv6Packet packet) throws WireException {
    if (packet.protocol() != Protocol.ICMPV6 || packet.hopLimit() != HOP_LIMIT) {
      return false;
    }
    Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
    if (icmp.type() != SOLICITATION || icmp.code() != 0) {
      return false;
    }
    WireReader body = new WireReader(icmp.body());
    body.skip(4);
    while (!body.isEmpty()) {
      int type = body.u8();
      int length = body.u8() * UNIT;
      if (length == 0 || (type == OPTION_SOURCE_LINK_LAYER && packet.source().isUnspecified())) {
        return false;
      }
      body.skip(length - 2);
    }
    return true;
  }
}
