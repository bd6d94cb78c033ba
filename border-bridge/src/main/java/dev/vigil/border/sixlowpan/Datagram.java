package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;

/**
 * A whole IPv6 packet from the mesh, decompressed and reassembled.
 *
 * @param ipv6 its octets, with lengths and checksums
 * @param sender the link address of the sender; with a mesh header, its originator
 * @param saving octets saved by compressed AH and ESP; a sender of such headers can also read them
 * @param contextUsed whether an address was compressed with a context, which the sender of the
 *     frame therefore knows
 */
public record Datagram(byte[] ipv6, LinkAddress sender, IpsecSaving saving, boolean contextUsed) {}
