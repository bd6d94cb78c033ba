package dev.vigil.border.tun;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/**
 * A flow: the packets between two endpoints, in both directions.
 *
 * @param mote the endpoint in the mesh
 * @param motePort its UDP or TCP port, the identifier of an echo, otherwise 0
 * @param peer the endpoint outside
 * @param protocol see {@link TrafficSelector.UpperLayer}
 */
record Flow(Ipv6Address mote, int motePort, Ipv6Address peer, int peerPort, int protocol) {
  private static final int UNIT = 8;
  private static final int MAX_HEADERS = 16;

  /**
   * Differs from every echo's identifier, because other messages must not pass as part of an echo
   * flow.
   */
  private static final int NO_IDENTIFIER = -1;

  /** The addresses, ports and protocol of one packet. */
  record FiveTuple(
      TrafficSelector.UpperLayer upperLayer,
      Ipv6Address from,
      int fromPort,
      Ipv6Address to,
      int toPort) {
    /** Whether the packet is an ICMPv6 error (RFC 4443, section 2.1). */
    boolean isIcmpError() {
      return upperLayer.protocol() == Protocol.ICMPV6 && Icmpv6.isError(upperLayer.port());
    }

    Flow flow(boolean fromMesh) {
      return fromMesh
          ? new Flow(from, fromPort, to, toPort, upperLayer.protocol())
          : new Flow(to, toPort, from, fromPort, upperLayer.protocol());
    }
  }

  /**
   * The five-tuple of a whole packet, with its next destination, because source routes are not
   * followed.
   */
  static FiveTuple read(Ipv6Packet packet) throws WireException {
    int protocol = packet.protocol();
    for (ExtensionHeader header : packet.extensions()) {
      if (header.protocol() == Protocol.AH || header.protocol() == Protocol.FRAGMENT) {
        protocol = header.protocol();
        break;
      }
    }
    WireReader payload = new WireReader(packet.payload());
    return read(protocol, packet.source(), packet.destination(), payload);
  }

  /**
   * The five-tuple of the packet that an ICMPv6 error quotes; the packet's end may be missing.
   *
   * @param message the error from its type octet on
   */
  static FiveTuple quoted(byte[] message) throws WireException {
    WireReader in = new WireReader(message);
    in.skip(8 + 6);
    int next = in.u8();
    in.skip(1);
    Ipv6Address from = Ipv6Address.read(in);
    Ipv6Address to = Ipv6Address.read(in);
    for (int i = 0; i < MAX_HEADERS && isSkipped(next); i++) {
      next = in.u8();
      int length = in.u8();
      in.skip(length * UNIT + UNIT - 2);
    }
    return read(next, from, to, in);
  }

  private static boolean isSkipped(int protocol) {
    return protocol == Protocol.HOP_BY_HOP
        || protocol == Protocol.ROUTING
        || protocol == Protocol.DESTINATION_OPTIONS
        || protocol == Protocol.MOBILITY;
  }

  private static FiveTuple read(int protocol, Ipv6Address from, Ipv6Address to, WireReader in)
      throws WireException {
    return switch (protocol) {
      case Protocol.UDP, Protocol.TCP -> {
        int source = in.u16();
        int destination = in.u16();
        yield new FiveTuple(
            new TrafficSelector.UpperLayer(protocol, destination), from, source, to, destination);
      }
      case Protocol.ICMPV6 -> {
        int type = in.u8();
        in.skip(3);
        boolean echo = type == Icmpv6.ECHO_REQUEST || type == Icmpv6.ECHO_REPLY;
        int identifier = echo ? in.u16() : NO_IDENTIFIER;
        yield new FiveTuple(
            new TrafficSelector.UpperLayer(protocol, type), from, identifier, to, identifier);
      }
      default -> new FiveTuple(new TrafficSelector.UpperLayer(protocol, 0), from, 0, to, 0);
    };
  }
}
