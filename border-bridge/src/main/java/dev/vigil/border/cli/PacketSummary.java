package dev.vigil.border.cli;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.ArrayList;
import java.util.List;

/** A one-line summary of a packet. */
final class PacketSummary {
  private PacketSummary() {}

  /**
   * @param ipv6 one packet; for a malformed one the summary gives the reason
   */
  static String of(byte[] ipv6) {
    try {
      return of(Ipv6Packet.parse(ipv6));
    } catch (WireException e) {
      return "malformed: " + e.reason().label();
    }
  }

  private static String of(Ipv6Packet packet) throws WireException {
    List<String> parts = new ArrayList<>();
    parts.add(packet.source() + " > " + packet.destination());
    parts.add("hop limit " + packet.hopLimit());
    if (packet.trafficClass() != 0) {
      parts.add("traffic class %02x".formatted(packet.trafficClass()));
    }
    if (packet.flowLabel() != 0) {
      parts.add("flow label %05x".formatted(packet.flowLabel()));
    }
    boolean split = false;
    for (ExtensionHeader header : packet.extensions()) {
      parts.add(describe(header, packet));
      split |= header instanceof ExtensionHeader.Fragment;
    }
    parts.add(split ? "part of protocol " + packet.protocol() : content(packet));
    return String.join(", ", parts);
  }

  private static String describe(ExtensionHeader header, Ipv6Packet packet) throws WireException {
    return switch (header) {
      case ExtensionHeader.HopByHop options ->
          RplOption.find(options)
              .map(rpl -> "RPL instance %d rank %d".formatted(rpl.instance(), rpl.senderRank()))
              .orElse("hop-by-hop options");
      case ExtensionHeader.DestinationOptions ignored -> "destination options";
      case ExtensionHeader.Routing routing ->
          routing.type() == SourceRoute.TYPE
              ? "source route "
                  + SourceRoute.parse(routing, packet.destination()).addresses()
                  + " left "
                  + routing.segmentsLeft()
              : "routing type " + routing.type();
      case ExtensionHeader.Fragment fragment ->
          "fragment %08x offset %d%s"
              .formatted(
                  fragment.identification(), fragment.offset(), fragment.more() ? " more" : "");
      case ExtensionHeader.Mobility ignored -> "mobility";
      case ExtensionHeader.Authentication ah ->
          "AH SPI %08x sequence %d".formatted(ah.spi(), ah.sequence());
    };
  }

  private static String content(Ipv6Packet packet) throws WireException {
    byte[] payload = packet.payload();
    return switch (packet.protocol()) {
      case Protocol.UDP -> {
        Udp udp = Udp.parse(payload, packet.source(), packet.finalDestination());
        yield "UDP %d > %d, %d octets"
            .formatted(udp.sourcePort(), udp.destinationPort(), udp.payload().length);
      }
      case Protocol.ICMPV6 -> {
        Icmpv6 icmp = Icmpv6.parse(payload, packet.source(), packet.finalDestination());
        yield "ICMPv6 %s, %d octets".formatted(name(icmp), icmp.body().length);
      }
      case Protocol.ESP -> {
        WireReader in = new WireReader(payload);
        yield "ESP SPI %08x sequence %d, %d octets".formatted(in.u32(), in.u32(), payload.length);
      }
      default -> "protocol %d, %d octets".formatted(packet.protocol(), payload.length);
    };
  }

  private static String name(Icmpv6 icmp) {
    return switch (icmp.type()) {
      case Icmpv6.ECHO_REQUEST -> "echo request";
      case Icmpv6.ECHO_REPLY -> "echo reply";
      case Icmpv6.RPL ->
          switch (icmp.code()) {
            case 0 -> "RPL DIS";
            case 1 -> "RPL DIO";
            case 2 -> "RPL DAO";
            case 3 -> "RPL DAO-ACK";
            default -> "RPL code " + icmp.code();
          };
      default -> "type " + icmp.type() + " code " + icmp.code();
    };
  }
}
