package dev.vigil.border.host;

/** Why the host did not act on a packet that was whole. */
public enum HostDrop {
  /** Nobody listens at the UDP port; the sender was told so. */
  PORT_UNREACHABLE,
  /** Whoever listens at the UDP port has no room, or does not listen to groups. */
  RECEIVER_REFUSED,
  /** A protocol this host does not speak; the sender was told so. */
  PROTOCOL_UNKNOWN,
  /** An ICMPv6 message of no use here. */
  ICMP_IGNORED,
  /**
   * A source route that ends elsewhere, an option that asks to be dropped, or a datagram from no
   * address, which could not be answered.
   */
  HEADER_REFUSED
}
