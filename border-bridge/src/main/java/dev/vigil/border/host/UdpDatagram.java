package dev.vigil.border.host;

import dev.vigil.border.ipv6.Ipv6Address;

/**
 * A UDP datagram with its addresses.
 *
 * @param authenticated whether an IPsec association proved the source
 * @param payload at most {@link Host#MAX_UDP_PAYLOAD} octets when sent
 */
public record UdpDatagram(
    Ipv6Address source,
    int sourcePort,
    Ipv6Address destination,
    int destinationPort,
    boolean authenticated,
    byte[] payload) {
  /** A datagram that no association protects. */
  public UdpDatagram(
      Ipv6Address source,
      int sourcePort,
      Ipv6Address destination,
      int destinationPort,
      byte[] payload) {
    this(source, sourcePort, destination, destinationPort, false, payload);
  }
}
