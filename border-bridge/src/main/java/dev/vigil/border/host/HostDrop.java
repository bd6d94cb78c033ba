package dev.vigil.border.host;

/** Reasons why the host ignores a well-formed packet. */
public enum HostDrop {
  /** No receiver is bound to the UDP port; the sender received an ICMPv6 error. */
  PORT_UNREACHABLE,
  /** The receiver of the UDP port is full, or does not accept multicast. */
  RECEIVER_REFUSED,
  /** The host does not implement the protocol; the sender received an ICMPv6 error. */
  PROTOCOL_UNKNOWN,
  /** An ICMPv6 message other than an echo request. */
  ICMP_IGNORED,
  /**
   * A source route with segments left, an unknown option that must not be skipped, or a datagram
   * from the unspecified address, which could not be answered.
   */
  HEADER_REFUSED
}
