package dev.vigil.border.tun;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/**
 * Packets that belong together: the same two ends, whichever of them speaks.
 *
 * @param mote the end in the mesh
 * @param motePort its UDP or TCP port, the identifier of an echo, else 0
 * @param protocol as {@link Traffic.Seen} has it
 */
record Conversation(
    Ipv6Address mote, int motePort, Ipv6Address world, int worldPort, int protocol) {
  private static final int UNIT = 8;
  private static final int MAX_HEADERS = 16;

  /** No echo has it: another message must not pass as part of one. */
  private static final int NO_IDENTIFIER = -1;

  /** One packet: what it is, and where it belongs, seen from its source. */
  record Packet(Traffic.Seen seen, Ipv6Address from, int fromPort, Ipv6Address to, int toPort) {
    /** Whether it says what became of another packet (RFC 4443, section 2.1). */
    boolean isError() {
      return seen.protocol() == Protocol.ICMPV6 && seen.port() < Icmpv6.ECHO_REQUEST;
    }

    Conversation conversation(boolean fromMesh) {
      return fromMesh
          ? new Conversation(from, fromPort, to, toPort, seen.protocol())
          : new Conversation(to, toPort, from, fromPort, seen.protocol());
    }
  }

  /** A whole packet, going where its header says: a route in it is for others to follow. */
  static Packet read(Ipv6Packet packet) throws WireException {
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
   * The packet that an ICMPv6 error quotes, of which the end may be missing.
   *
   * @param message the error from its type octet on
   */
  static Packet quoted(byte[] message) throws WireException {
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

  private static Packet read(int protocol, Ipv6Address from, Ipv6Address to, WireReader in)
      throws WireException {
    return switch (protocol) {
      case Protocol.UDP, Protocol.TCP -> {
        int source = in.u16();
        int destination = in.u16();
        yield new Packet(new Traffic.Seen(protocol, destination), from, source, to, destination);
      }
      case Protocol.ICMPV6 -> {
        int type = in.u8();
        in.skip(3);
        boolean echo = type == Icmpv6.ECHO_REQUEST || type == Icmpv6.ECHO_REPLY;
        int identifier = echo ? in.u16() : NO_IDENTIFIER;
        yield new Packet(new Traffic.Seen(protocol, type), from, identifier, to, identifier);
      }
      default -> new Packet(new Traffic.Seen(protocol, 0), from, 0, to, 0);
    };
  }
}
