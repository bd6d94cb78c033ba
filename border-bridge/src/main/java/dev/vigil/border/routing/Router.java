package dev.vigil.border.routing;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.host.Host;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.link.LinkContext;
import dev.vigil.border.link.LinkPort;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.radio.TunslipLink;
import dev.vigil.border.rpl.RplMessage;
import dev.vigil.border.rpl.RplRoot;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Routes packets to the bridge's own host, into the mesh through a source route, to a neighbour, or
 * to the TUN uplink, or drops them. Belongs to the pipeline thread.
 */
public final class Router {
  private static final int RPL_HOP_LIMIT = 64;

  private final Host host;
  private final ProtectedHost protectedHost;
  private final @Nullable RplRoot rpl;
  private final RadioOutput radios;
  private final List<TunslipLink> tunslipLinks;
  private final @Nullable TunUplink uplink;
  private final Captures captures;
  private final DropCounters drops;
  private final Ipv6Address self;

  public Router(
      ProtectedHost protectedHost,
      @Nullable RplRoot rpl,
      RadioOutput radios,
      List<TunslipLink> tunslipLinks,
      @Nullable TunUplink uplink,
      LinkContext context) {
    this.host = protectedHost.host();
    this.protectedHost = protectedHost;
    this.rpl = rpl;
    this.radios = radios;
    this.tunslipLinks = tunslipLinks;
    this.uplink = uplink;
    this.captures = context.captures();
    this.drops = context.drops();
    this.self = context.mesh().address();
  }

  /**
   * Takes a packet that came up from the mesh.
   *
   * @param from the radio; null for a tunslip6 board, which is a border router itself
   */
  public void received(@Nullable LinkPort from, byte[] octets, long nowMillis)
      throws WireException {
    captures.packet(LinkType.IPV6, Direction.IN, octets);
    Ipv6Packet packet = Ipv6Packet.parse(octets);
    if (!isMoteAddress(packet.source())) {
      drops.count(BridgeDrop.SOURCE_IMPOSSIBLE);
      return;
    }
    if (rpl != null) {
      rpl.heard(packet.source(), nowMillis);
    }
    if (host.isOwn(packet.destination())) {
      deliver(from, packet, nowMillis);
    } else if (isSourceRouted(packet)
        || packet.destination().isMulticast()
        || packet.destination().isLinkLocal()
        || packet.source().isLinkLocal()
        || packet.source().isUnspecified()) {
      drops.count(BridgeDrop.NOT_FORWARDABLE);
    } else {
      forward(packet, nowMillis);
    }
  }

  /**
   * Whether a mote can have this address; for ingress filtering (RFC 2827; RFC 4291, section 2.5.3;
   * RFC 4291, section 2.7).
   */
  private boolean isMoteAddress(Ipv6Address source) {
    boolean local = source.isLinkLocal() || source.isUnspecified();
    return (local || isInside(source)) && !host.isOwn(source);
  }

  private boolean isInside(Ipv6Address address) {
    return uplink == null ? address.high() == self.high() : !uplink.isOutside(address);
  }

  /**
   * Whether a packet contains its own source route. Only the root creates source routes (RFC 6554,
   * section 5). A mote's source route could bypass the filter, or lead back and forth between other
   * motes.
   */
  private static boolean isSourceRouted(Ipv6Packet packet) {
    return packet.extensions().stream()
        .anyMatch(h -> h instanceof ExtensionHeader.Routing route && route.segmentsLeft() > 0);
  }

  /** Takes a packet that the kernel sends into the mesh. */
  void fromUplink(TunUplink from, byte[] octets, long nowMillis) throws WireException {
    Ipv6Packet packet = Ipv6Packet.parse(octets);
    Ipv6Address to = packet.destination();
    from.receivedOnLink(packet);
    boolean forwardable = !to.isMulticast() && !to.isLinkLocal() && !packet.source().isLinkLocal();
    if (!forwardable || packet.source().isUnspecified() || packet.source().isMulticast()) {
      drops.count(BridgeDrop.NOT_FORWARDABLE);
    } else if (from.admits(packet)) {
      captures.packet(LinkType.IPV6, Direction.OUT, octets);
      if (host.isOwn(to)) {
        deliver(null, packet, nowMillis);
      } else {
        forward(packet, nowMillis);
      }
    }
  }

  /** Passes a packet to the RPL root or to the bridge's own host. */
  private void deliver(@Nullable LinkPort from, Ipv6Packet packet, long nowMillis)
      throws WireException {
    RplRoot root = rpl;
    // RPL messages are accepted only from a radio: hosts outside must not change the DODAG.
    if (root != null && from != null) {
      noteRplOption(root, packet, nowMillis);
      if (isRpl(packet)) {
        Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
        send(
            root.receive(RplMessage.parse(icmp), packet.source(), packet.destination(), nowMillis));
        return;
      }
    }
    protectedHost.receive(from, packet, nowMillis, this::originate);
  }

  /** Delivers the packets that associations opened in this batch. */
  public void deliverOpened(long nowMillis) {
    protectedHost.deliverOpened(nowMillis, this::originate);
  }

  /**
   * Sends a packet of the bridge's own host, in AH or ESP as policy requires. RPL's messages are
   * part of routing and are sent unprotected.
   *
   * @return false if there is no route
   */
  boolean originate(Ipv6Packet packet, @Nullable LinkPort via) throws WireException {
    Optional<Ipv6Packet> ready = protectedHost.protect(packet);
    return ready.isEmpty() || output(ready.get(), via);
  }

  private static boolean isRpl(Ipv6Packet packet) {
    return packet.protocol() == Protocol.ICMPV6 && Icmpv6.typeOf(packet.payload()) == Icmpv6.RPL;
  }

  private static void noteRplOption(RplRoot root, Ipv6Packet packet, long nowMillis)
      throws WireException {
    for (ExtensionHeader header : packet.extensions()) {
      if (header instanceof ExtensionHeader.HopByHop options) {
        RplOption.find(options).ifPresent(option -> root.received(option, nowMillis));
      }
    }
  }

  /** Forwards a packet from the root, without the RPL headers of its upward path. */
  private void forward(Ipv6Packet packet, long nowMillis) throws WireException {
    if (packet.hopLimit() <= 1) {
      drops.count(BridgeDrop.HOP_LIMIT);
      reply(host.timeExceeded(packet, nowMillis));
      return;
    }
    List<ExtensionHeader> kept = new ArrayList<>();
    for (ExtensionHeader header : packet.extensions()) {
      boolean endsHere =
          switch (header) {
            case ExtensionHeader.HopByHop options -> RplOption.isOnlyOption(options);
            case ExtensionHeader.Routing route -> route.type() == SourceRoute.TYPE;
            case ExtensionHeader.Fragment ignored -> false;
            case ExtensionHeader.DestinationOptions ignored -> false;
            case ExtensionHeader.Mobility ignored -> false;
            case ExtensionHeader.Authentication ignored -> false;
          };
      if (!endsHere) {
        kept.add(header);
      }
    }
    Ipv6Packet onward = packet.withExtensions(kept).withHopLimit(packet.hopLimit() - 1);
    if (!output(onward, null)) {
      reply(host.noRoute(packet, nowMillis));
    }
  }

  private void reply(Optional<Ipv6Packet> packet) throws WireException {
    if (packet.isPresent()) {
      originate(packet.get(), null);
    }
  }

  /** Sends the root's messages. */
  void send(List<RplRoot.Outgoing> messages) throws WireException {
    for (RplRoot.Outgoing outgoing : messages) {
      Icmpv6 icmp = outgoing.message().toIcmp();
      Ipv6Address to = outgoing.destination();
      if (to.isMulticast() || to.isLinkLocal()) {
        for (LinkPort port : radios.portsTo(to)) {
          Optional<Ipv6Address> source = port.linkLocal();
          if (source.isPresent()) {
            output(rplPacket(icmp, source.get(), to), port);
          }
        }
      } else {
        output(rplPacket(icmp, self, to), null);
      }
    }
  }

  private static Ipv6Packet rplPacket(Icmpv6 icmp, Ipv6Address from, Ipv6Address to) {
    return Ipv6Packet.of(from, to, RPL_HOP_LIMIT, Protocol.ICMPV6, icmp.encode(from, to));
  }

  /** The source address for a destination. */
  Ipv6Address sourceFor(Ipv6Address destination) {
    if (!destination.isLinkLocal() && !destination.isMulticast()) {
      return self;
    }
    return radios.portsTo(destination).stream()
        .flatMap(port -> port.linkLocal().stream())
        .findFirst()
        .orElse(self);
  }

  /**
   * Sends a packet unchanged.
   *
   * @param via the port for a multicast or link-local packet; null selects the ports that lead to
   *     the destination
   * @return false if there is no route
   */
  boolean output(Ipv6Packet packet, @Nullable LinkPort via) throws WireException {
    Ipv6Address to = packet.destination();
    if (to.isMulticast() || to.isLinkLocal()) {
      List<LinkPort> ports = via == null ? radios.portsTo(to) : List.of(via);
      radios.transmit(packet, RadioOutput.linkAddress(to), ports);
      return true;
    }
    TunUplink outside = uplink;
    if (outside != null && outside.isOutside(to)) {
      outside.send(packet);
      return true;
    }
    if (to.high() != self.high()) {
      drops.count(BridgeDrop.NO_ROUTE);
      return false;
    }
    return outputToMote(packet);
  }

  private boolean outputToMote(Ipv6Packet packet) throws WireException {
    Ipv6Address to = packet.destination();
    RplRoot root = rpl;
    Optional<List<Ipv6Address>> path = root == null ? Optional.empty() : root.route(to);
    if (path.isPresent()) {
      Ipv6Address firstHop = path.get().getFirst();
      radios.transmit(
          withSourceRoute(packet, path.get()),
          RadioOutput.linkAddress(firstHop),
          radios.portsTo(firstHop));
      return true;
    }
    Optional<LinkPort> neighbour = radios.portTo(to);
    if (neighbour.isPresent()) {
      radios.transmit(packet, RadioOutput.linkAddress(to), List.of(neighbour.get()));
      return true;
    }
    if (!tunslipLinks.isEmpty()) {
      outputToTunslip(packet);
      return true;
    }
    drops.count(BridgeDrop.NO_ROUTE);
    return false;
  }

  /** A tunslip6 board is a border router: it knows the route, or reports that there is none. */
  private void outputToTunslip(Ipv6Packet packet) {
    byte[] octets = packet.encode();
    captures.packet(LinkType.IPV6, Direction.OUT, octets);
    for (TunslipLink link : tunslipLinks) {
      if (!link.send(octets)) {
        drops.count(BridgeDrop.TX_RADIO);
      }
    }
  }

  /**
   * The packet with the first hop as destination and the other hops in a source routing header (RFC
   * 6554, section 4.1). The header is present even for a path of one hop.
   */
  private static Ipv6Packet withSourceRoute(Ipv6Packet packet, List<Ipv6Address> path) {
    List<ExtensionHeader> extensions = new ArrayList<>(packet.extensions());
    extensions.add(
        RadioOutput.placeOfSourceRoute(packet),
        SourceRoute.through(path.getFirst(), path.subList(1, path.size())).header());
    return packet.withDestination(path.getFirst()).withExtensions(extensions);
  }
}
