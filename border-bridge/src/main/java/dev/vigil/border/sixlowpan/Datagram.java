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
 * @param lowOctets the octets left of the sequence number of the outermost AH or ESP, 1 or 2; the
 *     association restores the others, which are 0 here. 0 if the number is whole
 */
public record Datagram(
    byte[] ipv6, LinkAddress sender, IpsecSaving saving, boolean contextUsed, int lowOctets) {
  /** The same packet with its whole sequence number. */
  public Datagram withWholeSequence(byte[] restored) {
    return new Datagram(restored, sender, saving, contextUsed, 0);
  }
}
