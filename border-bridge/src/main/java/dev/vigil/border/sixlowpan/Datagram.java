package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;

/**
 * A whole IPv6 packet as it left the 6LoWPAN.
 *
 * @param ipv6 its octets, lengths and checksums filled in
 * @param sender who put it on the link: of a mesh header the originator
 * @param nhcInsideEsp the ESP header said that its plaintext begins with a compressed UDP header;
 *     such a packet may only go to a security association that names the transform {@code udp-nhc}
 */
public record Datagram(byte[] ipv6, LinkAddress sender, boolean nhcInsideEsp) {}
