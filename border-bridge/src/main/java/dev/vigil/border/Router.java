package dev.vigil.border;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.host.Host;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.radio.PacketLink;
import dev.vigil.border.rpl.RplMessage;
import dev.vigil.border.rpl.RplRoot;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where packets go: to the bridge's own host, down into the mesh through a source route, to a
 * neighbour, or nowhere. Belongs to the pipeline thread.
 */
final class Router {
  private static final int RPL_HOP_LIMIT = 64;

  private final Host host;
  private final @Nullable RplRoot rpl;
  private final List<LinkPort> ports;
  private final List<PacketLink> boards;
  private final @Nullable World world;
  private final NeighbourTable neighbours;
  private final Captures captures;
  private final Drops drops;
  private final Ipv6Address mesh;

  Router(
      Host host,
      @Nullable RplRoot rpl,
      List<LinkPort> ports,
      List<PacketLink> boards,
      @Nullable World world,
      LinkPort.Shared shared) {
    this.host = host;
    this.rpl = rpl;
    this.ports = ports;
    this.boards = boards;
    this.world = world;
    this.neighbours = shared.neighbours();
    this.captures = shared.captures();
    this.drops = shared.drops();
    this.mesh = shared.config().meshAddress();
  }

  /** A packet that came up from a radio, or (null) from a board that is a border router. */
  void received(@Nullable LinkPort from, byte[] octets, long nowMillis) throws WireException {
    captures.packet(LinkType.IPV6, Direction.IN, octets);
    Ipv6Packet packet = Ipv6Packet.parse(octets);
    if (!isOfMote(packet.source())) {
      drops.count(BridgeDrop.SOURCE_IMPOSSIBLE);
      return;
    }
    if (rpl != null) {
      rpl.heard(packet.source(), nowMillis);
    }
    if (host.isOwn(packet.destination())) {
      own(from, packet, nowMillis);
    } else if (isRouted(packet)
        || packet.destination().isMulticast()
        || packet.destination().isLinkLocal()
        || packet.source().isLinkLocal()
        || packet.source().isUnspecified()) {
      drops.count(BridgeDrop.NOT_FORWARDABLE);
    } else {
      forward(packet, nowMillis);
    }
  }

  /** Whether a mote can have sent from this address (RFC 2827; RFC 4291, sections 2.5.3, 2.7). */
  private boolean isOfMote(Ipv6Address source) {
    boolean local = source.isLinkLocal() || source.isUnspecified();
    boolean inside = world == null ? source.high() == mesh.high() : !world.isOutside(source, mesh);
    return (local || inside) && !host.isOwn(source);
  }

  /**
   * Whether a packet says itself where it goes on. Routes begin at the root, which makes its own
   * (RFC 6554, section 5); a mote's would lead around the filter, or to and fro between others.
   */
  private static boolean isRouted(Ipv6Packet packet) {
    return packet.extensions().stream()
        .anyMatch(h -> h instanceof ExtensionHeader.Routing route && route.segmentsLeft() > 0);
  }

  /** A packet that the kernel sends into the mesh. */
  void fromWorld(byte[] octets, long nowMillis) throws WireException {
    World from = world;
    if (from == null) {
      return;
    }
    Ipv6Packet packet = Ipv6Packet.parse(octets);
    Ipv6Address to = packet.destination();
    from.local(packet);
    boolean forwardable = !to.isMulticast() && !to.isLinkLocal() && !packet.source().isLinkLocal();
    if (!forwardable || packet.source().isUnspecified() || packet.source().isMulticast()) {
      drops.count(BridgeDrop.NOT_FORWARDABLE);
    } else if (from.admits(packet)) {
      captures.packet(LinkType.IPV6, Direction.OUT, octets);
      if (host.isOwn(to)) {
        own(null, packet, nowMillis);
      } else {
        forward(packet, nowMillis);
      }
    }
  }

  private void own(@Nullable LinkPort from, Ipv6Packet packet, long nowMillis)
      throws WireException {
    RplRoot root = rpl;
    // The kernel and the world have no say in the DODAG.
    if (root != null && from != null) {
      noteRplOption(root, packet, nowMillis);
      if (isRpl(packet)) {
        Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
        boolean multicast = packet.destination().isMulticast();
        send(
            root.receive(RplMessage.parse(icmp), packet.source(), multicast, nowMillis), nowMillis);
        return;
      }
    }
    Optional<Ipv6Packet> reply = host.receive(packet, nowMillis);
    if (reply.isPresent()) {
      output(reply.get(), from);
    }
  }

  private static boolean isRpl(Ipv6Packet packet) {
    return packet.protocol() == Protocol.ICMPV6
        && packet.payload().length > 0
        && (packet.payload()[0] & 0xff) == Icmpv6.RPL;
  }

  private static void noteRplOption(RplRoot root, Ipv6Packet packet, long nowMillis)
      throws WireException {
    for (ExtensionHeader header : packet.extensions()) {
      if (header instanceof ExtensionHeader.HopByHop options) {
        RplOption.find(options).ifPresent(option -> root.upward(option, nowMillis));
      }
    }
  }

  /** Onward from the root, where RPL's headers of the way here end. */
  private void forward(Ipv6Packet packet, long nowMillis) throws WireException {
    if (packet.hopLimit() <= 1) {
      drops.count(BridgeDrop.HOP_LIMIT);
      answer(host.timeExceeded(packet, nowMillis));
      return;
    }
    List<ExtensionHeader> kept = new ArrayList<>();
    for (ExtensionHeader header : packet.extensions()) {
      boolean ends =
          switch (header) {
            case ExtensionHeader.HopByHop options -> RplOption.isAlone(options);
            case ExtensionHeader.Routing route -> route.type() == SourceRoute.TYPE;
            case ExtensionHeader.Fragment ignored -> false;
            case ExtensionHeader.DestinationOptions ignored -> false;
            case ExtensionHeader.Mobility ignored -> false;
            case ExtensionHeader.Authentication ignored -> false;
          };
      if (!ends) {
        kept.add(header);
      }
    }
    Ipv6Packet onward = packet.withExtensions(kept).withHopLimit(packet.hopLimit() - 1);
    if (!output(onward, null)) {
      answer(host.noRoute(packet, nowMillis));
    }
  }

  private void answer(Optional<Ipv6Packet> reply) throws WireException {
    if (reply.isPresent()) {
      output(reply.get(), null);
    }
  }

  /** Sends what the root wants sent. */
  void send(List<RplRoot.Send> messages, long nowMillis) throws WireException {
    for (RplRoot.Send send : messages) {
      Icmpv6 icmp = send.message().toIcmp();
      if (send.destination().isMulticast() || send.destination().isLinkLocal()) {
        for (LinkPort port : portsTo(send.destination())) {
          Optional<Ipv6Address> self = port.linkLocal();
          if (self.isPresent()) {
            output(rplPacket(icmp, self.get(), send.destination()), port);
          }
        }
      } else {
        output(rplPacket(icmp, mesh, send.destination()), null);
      }
    }
  }

  private static Ipv6Packet rplPacket(Icmpv6 icmp, Ipv6Address from, Ipv6Address to) {
    return Ipv6Packet.of(from, to, RPL_HOP_LIMIT, Protocol.ICMPV6, icmp.encode(from, to));
  }

  /** The ports that a multicast or link-local packet goes out of. */
  private List<LinkPort> portsTo(Ipv6Address destination) {
    if (destination.isMulticast()) {
      return ports;
    }
    return portOf(Eui64.ofInterfaceId(destination.low())).map(List::of).orElse(ports);
  }

  private Optional<LinkPort> portOf(Eui64 neighbour) {
    return neighbours
        .radioOf(neighbour)
        .flatMap(radio -> ports.stream().filter(p -> p.name().equals(radio)).findFirst());
  }

  /** The address to send from to a destination. */
  Ipv6Address sourceFor(Ipv6Address destination) {
    if (!destination.isLinkLocal() && !destination.isMulticast()) {
      return mesh;
    }
    return portsTo(destination).stream()
        .flatMap(port -> port.linkLocal().stream())
        .findFirst()
        .orElse(mesh);
  }

  /**
   * Sends a packet of the bridge's own, or one it forwards.
   *
   * @param via the port it must take; null: the one that leads there
   * @return false if nobody knows the way
   */
  boolean output(Ipv6Packet packet, @Nullable LinkPort via) throws WireException {
    Ipv6Address to = packet.destination();
    if (to.isMulticast()) {
      transmit(packet, LinkAddress.BROADCAST, via == null ? ports : List.of(via));
      return true;
    }
    if (to.isLinkLocal()) {
      LinkAddress next = linkAddress(to);
      transmit(packet, next, via == null ? portsTo(to) : List.of(via));
      return true;
    }
    World beyond = world;
    if (beyond != null && beyond.isOutside(to, mesh)) {
      beyond.send(packet);
      return true;
    }
    if (to.high() != mesh.high()) {
      drops.count(BridgeDrop.NO_ROUTE);
      return false;
    }
    return down(packet);
  }

  private boolean down(Ipv6Packet packet) throws WireException {
    Ipv6Address to = packet.destination();
    RplRoot root = rpl;
    Optional<List<Ipv6Address>> path = root == null ? Optional.empty() : root.route(to);
    if (path.isPresent()) {
      Ipv6Address first = path.get().getFirst();
      transmit(sourceRouted(packet, path.get()), linkAddress(first), portsTo(first));
      return true;
    }
    Optional<LinkPort> direct = portOf(Eui64.ofInterfaceId(to.low()));
    if (direct.isPresent()) {
      transmit(packet, linkAddress(to), List.of(direct.get()));
      return true;
    }
    if (!boards.isEmpty()) {
      return toBoards(packet);
    }
    drops.count(BridgeDrop.NO_ROUTE);
    return false;
  }

  /** A board that is a border router itself knows the way, or says that there is none. */
  private boolean toBoards(Ipv6Packet packet) {
    byte[] octets = packet.encode();
    captures.packet(LinkType.IPV6, Direction.OUT, octets);
    for (PacketLink board : boards) {
      if (!board.send(octets)) {
        drops.count(BridgeDrop.TX_RADIO);
      }
    }
    return true;
  }

  /** RFC 6554: the first hop as destination, the others in the header, which always is there. */
  private static Ipv6Packet sourceRouted(Ipv6Packet packet, List<Ipv6Address> path) {
    List<ExtensionHeader> extensions = new ArrayList<>();
    extensions.add(SourceRoute.through(path.subList(1, path.size())).header());
    extensions.addAll(packet.extensions());
    return packet.withDestination(path.getFirst()).withExtensions(extensions);
  }

  private static LinkAddress linkAddress(Ipv6Address address) {
    boolean isShort = address.low() >>> 16 == 0x0000_00ff_fe00L;
    return isShort
        ? new LinkAddress.Short((int) address.low() & 0xffff)
        : LinkAddress.of(Eui64.ofInterfaceId(address.low()));
  }

  private void transmit(Ipv6Packet packet, LinkAddress next, List<LinkPort> through)
      throws WireException {
    byte[] octets = packet.encode();
    if (octets.length > Ipv6Packet.MIN_MTU) {
      drops.count(Drop.IP_LENGTH);
      return;
    }
    captures.packet(LinkType.IPV6, Direction.OUT, octets);
    for (LinkPort port : through) {
      if (port.isUp()) {
        port.send(octets, next);
      }
    }
  }
}
