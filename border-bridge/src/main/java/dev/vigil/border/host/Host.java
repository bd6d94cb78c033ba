package dev.vigil.border.host;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Option;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireWriter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A small IPv6 host (RFC 8200, RFC 4443, RFC 768). It answers echo requests, passes UDP datagrams
 * to receivers, and reports unknown ports and protocols. Packets go in, replies come out; the time
 * is a parameter. Belongs to the pipeline thread.
 */
public final class Host {
  /** Octets of the largest datagram in a packet of the minimum MTU (RFC 8200, section 5). */
  public static final int MAX_UDP_PAYLOAD = Ipv6Packet.MIN_MTU - Ipv6Packet.HEADER - Udp.HEADER;

  /** The hop limit of sent packets: Contiki-NG's default. */
  public static final int HOP_LIMIT = 64;

  private static final int NEXT_HEADER_OFFSET = 6;
  private static final int CODE_PORT_UNREACHABLE = 4;
  private static final int CODE_NO_ROUTE = 0;
  private static final int CODE_UNRECOGNIZED_NEXT_HEADER = 1;
  private static final Set<Ipv6Address> MULTICAST_GROUPS =
      Stream.concat(
              Stream.of(Ipv6Address.ALL_NODES, Ipv6Address.ALL_ROUTERS, Ipv6Address.ALL_RPL_NODES),
              LongStream.of(0xff02L, 0xff03L, 0xff05L)
                  .mapToObj(Ipv6Address::coapGroups)
                  .flatMap(List::stream))
          .collect(Collectors.toUnmodifiableSet());

  private final Set<Ipv6Address> addresses = new LinkedHashSet<>();
  private final Map<Integer, UdpReceiver> ports = new HashMap<>();
  private final IcmpErrorLimiter errors = new IcmpErrorLimiter();
  private final Consumer<HostDrop> drops;

  /** Makes a host without addresses. */
  public Host(Consumer<HostDrop> drops) {
    this.drops = drops;
  }

  /** Adds a unicast address; the first one of each scope is the source address. */
  public void addAddress(Ipv6Address address) {
    addresses.add(address);
  }

  /** Whether packets to this address are for this host: its unicast addresses and its groups. */
  public boolean isOwn(Ipv6Address address) {
    return addresses.contains(address) || MULTICAST_GROUPS.contains(address);
  }

  /** Registers the receiver of a port; it replaces an earlier one. */
  public void bind(int port, UdpReceiver receiver) {
    ports.put(port, receiver);
  }

  public void unbind(int port) {
    ports.remove(port);
  }

  /** Takes a packet that no association protected. */
  Optional<Ipv6Packet> receive(Ipv6Packet packet, long nowMillis) throws WireException {
    return receive(packet, false, nowMillis);
  }

  /**
   * Takes a packet to one of this host's addresses.
   *
   * @param authenticated whether an IPsec association proved its source
   * @return the reply, if there is one
   */
  public Optional<Ipv6Packet> receive(Ipv6Packet packet, boolean authenticated, long nowMillis)
      throws WireException {
    boolean unanswerable = packet.protocol() == Protocol.UDP && packet.source().isUnspecified();
    if (unanswerable || !headersAllow(packet)) {
      drops.accept(HostDrop.HEADER_REFUSED);
      return Optional.empty();
    }
    OptionalInt announcesAh = offsetThatAnnouncesAh(packet);
    if (announcesAh.isPresent()) {
      return unrecognized(packet, announcesAh.getAsInt(), nowMillis);
    }
    return switch (packet.protocol()) {
      case Protocol.UDP -> udp(packet, authenticated, nowMillis);
      case Protocol.ICMPV6 -> icmp(packet);
      case Protocol.NO_NEXT_HEADER -> Optional.empty();
      default -> unrecognized(packet, offsetOfLastNextHeader(packet), nowMillis);
    };
  }

  /**
   * The answer to a header that this host does not support.
   *
   * @param offset the position of the next header octet that announces it
   */
  private Optional<Ipv6Packet> unrecognized(Ipv6Packet packet, int offset, long nowMillis) {
    drops.accept(HostDrop.PROTOCOL_UNKNOWN);
    byte[] pointer = new WireWriter(4).u32(offset).toBytes();
    return error(
        packet, Icmpv6.PARAMETER_PROBLEM, CODE_UNRECOGNIZED_NEXT_HEADER, pointer, nowMillis);
  }

  /** The IPv6 packet that carries a datagram. */
  public static Ipv6Packet packet(UdpDatagram datagram) {
    byte[] message =
        new Udp(datagram.sourcePort(), datagram.destinationPort(), datagram.payload())
            .encode(datagram.source(), datagram.destination());
    return Ipv6Packet.of(
        datagram.source(), datagram.destination(), HOP_LIMIT, Protocol.UDP, message);
  }

  /** The error "no route to destination" about a packet (RFC 4443, section 3.1). */
  public Optional<Ipv6Packet> noRoute(Ipv6Packet packet, long nowMillis) {
    return error(packet, Icmpv6.DESTINATION_UNREACHABLE, CODE_NO_ROUTE, new byte[4], nowMillis);
  }

  /** The error "hop limit exceeded" about a packet (RFC 4443, section 3.3). */
  public Optional<Ipv6Packet> timeExceeded(Ipv6Packet packet, long nowMillis) {
    return error(packet, Icmpv6.TIME_EXCEEDED, 0, new byte[4], nowMillis);
  }

  /**
   * Whether the extension headers may be skipped. An unknown option may be skipped if its two
   * highest bits are 00 (RFC 8200, section 4.2). A source route with segments left may not, because
   * it would make this host a forwarder (RFC 8200, section 4.4).
   */
  private static boolean headersAllow(Ipv6Packet packet) throws WireException {
    for (ExtensionHeader header : packet.extensions()) {
      boolean allowed =
          switch (header) {
            case ExtensionHeader.HopByHop(byte[] body) -> optionsAllow(body);
            case ExtensionHeader.DestinationOptions(byte[] body) -> optionsAllow(body);
            case ExtensionHeader.Routing routing -> routing.segmentsLeft() == 0;
            case ExtensionHeader.Mobility ignored -> true;
            case ExtensionHeader.Fragment ignored -> false;
            case ExtensionHeader.Authentication ignored -> true;
          };
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  private static boolean optionsAllow(byte[] body) throws WireException {
    for (Option option : Option.parseAll(body)) {
      boolean rpl = option.type() == RplOption.TYPE || option.type() == RplOption.TYPE_OF_RFC_9008;
      if (!rpl && option.type() >>> 6 != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The position of the next header octet that announces an AH. No association has verified an AH
   * that arrives here, so this host treats it as an unknown header.
   */
  private static OptionalInt offsetThatAnnouncesAh(Ipv6Packet packet) {
    int announces = NEXT_HEADER_OFFSET;
    int at = Ipv6Packet.HEADER;
    for (ExtensionHeader header : packet.extensions()) {
      if (header instanceof ExtensionHeader.Authentication) {
        return OptionalInt.of(announces);
      }
      announces = at;
      at += header.length();
    }
    return OptionalInt.empty();
  }

  /** The position of the next header octet that announces the payload. */
  private static int offsetOfLastNextHeader(Ipv6Packet packet) {
    List<ExtensionHeader> extensions = packet.extensions();
    if (extensions.isEmpty()) {
      return NEXT_HEADER_OFFSET;
    }
    int before = extensions.stream().mapToInt(ExtensionHeader::length).sum();
    return Ipv6Packet.HEADER + before - extensions.getLast().length();
  }

  private Optional<Ipv6Packet> udp(Ipv6Packet packet, boolean authenticated, long nowMillis)
      throws WireException {
    Udp udp = Udp.parse(packet.payload(), packet.source(), packet.destination());
    UdpReceiver receiver = ports.get(udp.destinationPort());
    if (receiver == null) {
      drops.accept(HostDrop.PORT_UNREACHABLE);
      return error(
          packet, Icmpv6.DESTINATION_UNREACHABLE, CODE_PORT_UNREACHABLE, new byte[4], nowMillis);
    }
    UdpDatagram datagram =
        new UdpDatagram(
            packet.source(),
            udp.sourcePort(),
            packet.destination(),
            udp.destinationPort(),
            authenticated,
            udp.payload());
    if (!receiver.received(datagram)) {
      drops.accept(HostDrop.RECEIVER_REFUSED);
    }
    return Optional.empty();
  }

  private Optional<Ipv6Packet> icmp(Ipv6Packet packet) throws WireException {
    Icmpv6 message = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
    boolean answerable = !packet.source().isMulticast() && !packet.source().isUnspecified();
    if (message.type() != Icmpv6.ECHO_REQUEST || !answerable) {
      drops.accept(HostDrop.ICMP_IGNORED);
      return Optional.empty();
    }
    Icmpv6 reply = new Icmpv6(Icmpv6.ECHO_REPLY, 0, message.body());
    Ipv6Address from = replySource(packet);
    return Optional.of(
        Ipv6Packet.of(
            from,
            packet.source(),
            HOP_LIMIT,
            Protocol.ICMPV6,
            reply.encode(from, packet.source())));
  }

  /**
   * An error about a packet, unless RFC 4443, section 2.4 e, forbids the error or the limit is
   * reached.
   */
  private Optional<Ipv6Packet> error(
      Ipv6Packet packet, int type, int code, byte[] field, long nowMillis) {
    int icmpType = Icmpv6.typeOf(packet.payload());
    boolean aboutError =
        packet.protocol() == Protocol.ICMPV6
            && (icmpType == Icmpv6.NO_TYPE || Icmpv6.isError(icmpType));
    Ipv6Address to = packet.source();
    if (aboutError
        || packet.destination().isMulticast()
        || to.isMulticast()
        || to.isUnspecified()
        || !errors.take(nowMillis)) {
      return Optional.empty();
    }
    byte[] original = packet.encode();
    int maxQuoted = Ipv6Packet.MIN_MTU - Ipv6Packet.HEADER - 8;
    byte[] quoted = Arrays.copyOf(original, Math.min(original.length, maxQuoted));
    byte[] body = new WireWriter(4 + quoted.length).bytes(field).bytes(quoted).toBytes();
    Ipv6Address from = replySource(packet);
    byte[] message = new Icmpv6(type, code, body).encode(from, to);
    return Optional.of(Ipv6Packet.of(from, to, HOP_LIMIT, Protocol.ICMPV6, message));
  }

  private Ipv6Address replySource(Ipv6Packet packet) {
    return addresses.contains(packet.destination())
        ? packet.destination()
        : sourceFor(packet.source());
  }

  /**
   * The source address: link-local for a link-local destination, otherwise the mesh address (RFC
   * 6724, section 5).
   */
  public Ipv6Address sourceFor(Ipv6Address destination) {
    boolean local = destination.isLinkLocal() || destination.isMulticast();
    return addresses.stream()
        .filter(address -> address.isLinkLocal() == local)
        .findFirst()
        .or(() -> addresses.stream().findFirst())
        .orElse(Ipv6Address.UNSPECIFIED);
  }
}
