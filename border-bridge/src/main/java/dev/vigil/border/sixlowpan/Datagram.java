package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;

/**
 * A whole IPv6 packet from the 6LoWPAN, decompressed and reassembled.
 *
 * @param ipv6 its octets, with lengths and checksums
 * @param sender the link address of the sender: the originator of a mesh header
 * @param nhcInsideEsp whether the compressed ESP header announces a compressed UDP header in the
 *     plaintext; only an association with the transform {@code udp-nhc} may open such a packet
 */
public record Datagram(byte[] ipv6, LinkAddress sender, boolean nhcInsideEsp) {}
