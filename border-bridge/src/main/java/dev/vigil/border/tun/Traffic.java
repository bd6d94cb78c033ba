package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Protocol;

/** What a rule names of a packet: its protocol and perhaps its destination port. */
public sealed interface Traffic {
  /** Everything. */
  Traffic ANY = new Any();

  /** UDP to any port. */
  Traffic UDP = new Numbered(Protocol.UDP);

  /** Encrypted packets (RFC 4303). */
  Traffic ESP = new Numbered(Protocol.ESP);

  /** Authenticated packets (RFC 4302), whatever they carry. */
  Traffic AH = new Numbered(Protocol.AH);

  /** Echo requests (RFC 4443, section 4.1). */
  Traffic ECHO = new EchoRequest();

  /** Everything. */
  record Any() implements Traffic {}

  /** A protocol by its number, 0 to 255. */
  record Numbered(int protocol) implements Traffic {}

  /** UDP or TCP to ports in this range. */
  record Ports(int protocol, int first, int last) implements Traffic {}

  /** Echo requests. */
  record EchoRequest() implements Traffic {}

  /** UDP to ports in this range. */
  static Traffic udp(int first, int last) {
    return new Ports(Protocol.UDP, first, last);
  }

  /**
   * What a packet is, as far as rules look.
   *
   * @param protocol AH if there is such a header, the fragment header for a part of a packet, else
   *     that of the payload
   * @param port destination port of UDP and TCP; type of ICMPv6; else 0
   */
  record Seen(int protocol, int port) {}

  /** Whether a packet is of this traffic. */
  default boolean holds(Seen seen) {
    return switch (this) {
      case Any() -> true;
      case Numbered(int protocol) -> seen.protocol() == protocol;
      case Ports(int protocol, int first, int last) ->
          seen.protocol() == protocol && first <= seen.port() && seen.port() <= last;
      case EchoRequest() ->
          seen.protocol() == Protocol.ICMPV6 && seen.port() == Icmpv6.ECHO_REQUEST;
    };
  }
}
