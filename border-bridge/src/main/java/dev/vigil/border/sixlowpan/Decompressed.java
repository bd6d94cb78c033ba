package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Checksum;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * The decompressed octets of a frame or first fragment.
 *
 * @param octets the packet, or its beginning
 * @param checksumOf offset of the (inner) packet whose UDP checksum was elided
 * @param checksumAt offset of that checksum, or {@link #NONE}
 * @param saving octets saved by compressed AH and ESP
 * @param contextUsed whether an address was compressed with a context
 * @param lowOctets the octets left of the outermost sequence number of AH or ESP; 0 if it is whole
 */
record Decompressed(
    byte[] octets,
    int checksumOf,
    int checksumAt,
    IpsecSaving saving,
    boolean contextUsed,
    int lowOctets) {
  static final int NONE = -1;

  private static final int ALL_ONES = 0xffff;

  /** A result for octets that were not compressed. */
  static Decompressed asIs(byte[] octets) {
    return new Decompressed(octets, 0, NONE, IpsecSaving.NONE, false, 0);
  }

  /**
   * The whole packet, with its checksum.
   *
   * @param whole all its octets, beginning with these
   * @param sender the link address of the sender
   */
  Datagram datagram(byte[] whole, LinkAddress sender) throws WireException {
    return new Datagram(finish(whole), sender, saving, contextUsed, lowOctets);
  }

  /**
   * Fills in an elided checksum, which covers the whole packet (RFC 6282, section 4.3.2).
   *
   * @param whole all octets of the packet, beginning with these
   */
  private byte[] finish(byte[] whole) throws WireException {
    if (checksumAt == NONE) {
      return whole;
    }
    WireReader in = new WireReader(whole);
    in.skip(checksumOf);
    Ipv6Packet packet = Ipv6Packet.parse(in.rest());
    boolean fragment =
        packet.extensions().stream().anyMatch(ExtensionHeader.Fragment.class::isInstance);
    if (packet.protocol() != Protocol.UDP || fragment) {
      throw new WireException(Drop.UDP_CHECKSUM);
    }
    int checksum =
        Checksum.of(packet.source(), packet.finalDestination(), Protocol.UDP, packet.payload());
    WireWriter summed = new WireWriter(whole.length).bytes(whole);
    summed.patchU16(checksumAt, checksum == 0 ? ALL_ONES : checksum);
    return summed.toBytes();
  }
}
