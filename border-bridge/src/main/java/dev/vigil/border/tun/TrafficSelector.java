package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Protocol;

/** The traffic that a rule matches: a protocol, with or without destination ports. */
public sealed interface TrafficSelector {
  /** Everything. */
  TrafficSelector ANY = new Any();

  /** UDP to any port. */
  TrafficSelector UDP = new Numbered(Protocol.UDP);

  /** Encrypted packets (RFC 4303). */
  TrafficSelector ESP = new Numbered(Protocol.ESP);

  /** Authenticated packets (RFC 4302) with any content. */
  TrafficSelector AH = new Numbered(Protocol.AH);

  /** Echo requests (RFC 4443, section 4.1). */
  TrafficSelector ECHO = new EchoRequest();

  /** Everything. */
  record Any() implements TrafficSelector {}

  /** A protocol by its number, 0 to 255. */
  record Numbered(int protocol) implements TrafficSelector {}

  /** UDP or TCP to ports in this range. */
  record Ports(int protocol, int first, int last) implements TrafficSelector {}

  /** Echo requests. */
  record EchoRequest() implements TrafficSelector {}

  /** UDP to ports in this range. */
  static TrafficSelector udp(int first, int last) {
    return new Ports(Protocol.UDP, first, last);
  }

  /**
   * The upper-layer protocol of a packet.
   *
   * @param protocol AH if the packet has an AH, the fragment header's number for a fragment,
   *     otherwise the payload's protocol
   * @param port destination port of UDP and TCP, type of ICMPv6, otherwise 0
   */
  record UpperLayer(int protocol, int port) {}

  /** Whether a packet belongs to this traffic. */
  default boolean matches(UpperLayer packet) {
    return switch (this) {
      case Any() -> true;
      case Numbered(int protocol) -> packet.protocol() == protocol;
      case Ports(int protocol, int first, int last) ->
          packet.protocol() == protocol && first <= packet.port() && packet.port() <= last;
      case EchoRequest() ->
          packet.protocol() == Protocol.ICMPV6 && packet.port() == Icmpv6.ECHO_REQUEST;
    };
  }
}
