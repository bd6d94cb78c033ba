package dev.vigil.border.routing;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.link.LinkContext;
import dev.vigil.border.link.LinkPort;
import dev.vigil.border.link.NeighbourTable;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.Optional;

/**
 * Selects the radios through which a packet is sent, and passes the packet to them. Belongs to the
 * pipeline thread.
 */
public final class RadioOutput {
  private final List<LinkPort> ports;
  private final NeighbourTable neighbours;
  private final Captures captures;
  private final DropCounters drops;

  public RadioOutput(List<LinkPort> ports, LinkContext context) {
    this.ports = ports;
    this.neighbours = context.neighbours();
    this.captures = context.captures();
    this.drops = context.drops();
  }

  /**
   * The ports for a multicast or link-local packet: the port that hears the neighbour, otherwise
   * all ports.
   */
  List<LinkPort> portsTo(Ipv6Address destination) {
    if (destination.isMulticast()) {
      return ports;
    }
    return portTo(destination).map(List::of).orElse(ports);
  }

  /** The port that hears the node with this interface identifier directly. */
  Optional<LinkPort> portTo(Ipv6Address destination) {
    return neighbours
        .radioOf(Eui64.ofInterfaceId(destination.low()))
        .flatMap(radio -> ports.stream().filter(port -> port.name().equals(radio)).findFirst());
  }

  /** The link address of the node with this address (RFC 4944, section 6). */
  static LinkAddress linkAddress(Ipv6Address address) {
    if (address.isMulticast()) {
      return LinkAddress.BROADCAST;
    }
    boolean isShort = address.low() >>> 16 == 0x0000_00ff_fe00L;
    return isShort
        ? new LinkAddress.Short((int) address.low() & 0xffff)
        : LinkAddress.of(Eui64.ofInterfaceId(address.low()));
  }

  /**
   * Octets of the routing header that this root adds: a host's packet of 1280 octets must reach a
   * mote, because no host sends shorter fragments.
   */
  private static int sourceRoute(Ipv6Packet packet) {
    int place = placeOfSourceRoute(packet);
    return place < packet.extensions().size()
            && packet.extensions().get(place) instanceof ExtensionHeader.Routing route
        ? route.length()
        : 0;
  }

  /**
   * The place of this root's source route among a packet's extension headers: only hop-by-hop
   * options come before it (RFC 8200, section 4.1).
   */
  static int placeOfSourceRoute(Ipv6Packet packet) {
    return !packet.extensions().isEmpty()
            && packet.extensions().getFirst() instanceof ExtensionHeader.HopByHop
        ? 1
        : 0;
  }

  /** Sends a packet to a link address through each of these ports that is up. */
  void transmit(Ipv6Packet packet, LinkAddress nextHop, List<LinkPort> through)
      throws WireException {
    byte[] octets = packet.encode();
    if (octets.length - sourceRoute(packet) > Ipv6Packet.MIN_MTU) {
      drops.count(Drop.IP_LENGTH);
      return;
    }
    captures.packet(LinkType.IPV6, Direction.OUT, octets);
    for (LinkPort port : through) {
      if (port.isUp()) {
        port.send(octets, nextHop);
      }
    }
  }
}
