package dev.vigil.border.sixlowpan;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.sixlowpan.iphc.AddressForm;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.sixlowpan.iphc.HopLimit;
import dev.vigil.border.sixlowpan.iphc.MulticastAddress;
import dev.vigil.border.sixlowpan.iphc.TrafficFields;
import dev.vigil.border.sixlowpan.iphc.UnicastAddress;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * Decompresses headers (IPHC; RFC 6282, section 3). For a first fragment, the packet's length comes
 * from the fragment header.
 */
final class Decompressor {
  /** The maximum number of compressed headers in one packet. */
  static final int MAX_HEADERS = 16;

  private static final int NEXT_HEADER_AT = 6;
  private static final int PAYLOAD_LENGTH_AT = 4;
  private static final int INITIAL_SIZE = 192;

  private final Contexts contexts;
  private final int wholeSize;
  private final WireReader in;
  private final WireWriter out = new WireWriter(INITIAL_SIZE);
  private int headers;
  private int checksumAt = Decompressed.NONE;
  private int checksumOf;
  private boolean contextUsed;

  /** The offsets of AH and ESP in the output and in the frame; NONE without them. */
  private int ipsecOutAt = Decompressed.NONE;

  private int ipsecAt;

  /** The low octets of the outermost sequence number; 0 if it is whole. */
  private int lowOctets;

  private Decompressor(WireReader in, Contexts contexts, int wholeSize) {
    this.in = in;
    this.contexts = contexts;
    this.wholeSize = wholeSize;
  }

  /**
   * Restores a packet, or the beginning of one.
   *
   * @param in at the dispatch; read to its end
   * @param sourceId interface identifier of the source link address
   * @param destinationId interface identifier of the destination link address
   * @param wholeSize octets of the whole packet if {@code in} is a first fragment, otherwise -1
   */
  static Decompressed decompress(
      WireReader in, long sourceId, long destinationId, Contexts contexts, int wholeSize)
      throws WireException {
    Decompressor decompressor = new Decompressor(in, contexts, wholeSize);
    decompressor.header(sourceId, destinationId);
    return new Decompressed(
        decompressor.out.toBytes(),
        decompressor.checksumOf,
        decompressor.checksumAt,
        decompressor.saving(),
        decompressor.contextUsed,
        decompressor.lowOctets);
  }

  private IpsecSaving saving() {
    return ipsecOutAt == Decompressed.NONE
        ? IpsecSaving.NONE
        : IpsecSaving.of(out.size() - ipsecOutAt, in.position() - ipsecAt);
  }

  private void header(long sourceId, long destinationId) throws WireException {
    int start = out.size();
    int dispatch = in.u16();
    int ids = (dispatch & 0x80) == 0 ? 0 : in.u8();
    TrafficFields traffic = TrafficFields.read(dispatch >> 11 & 3, in);
    boolean compressed = (dispatch & 0x400) != 0;
    int next = compressed ? 0 : in.u8();
    int hopLimit = HopLimit.read(dispatch >> 8 & 3, in);
    Ipv6Address source = source(dispatch >> 4 & 7, ids >> 4, sourceId);
    Ipv6Address destination = destination(dispatch & 15, ids & 15, destinationId);
    out.u32(6L << 28 | (long) traffic.trafficClass() << 20 | traffic.flowLabel());
    out.u16(0).u8(next).u8(hopLimit);
    source.write(out);
    destination.write(out);
    if (compressed) {
      nextHeaders(start, source.low(), destination.low());
    } else {
      in.copyTo(out, in.remaining());
    }
    out.patchU16(start + PAYLOAD_LENGTH_AT, payloadLength(start));
  }

  private Ipv6Address source(int bits, int id, long linkId) throws WireException {
    boolean stateful = (bits & 4) != 0;
    int mode = bits & 3;
    if (stateful && mode == AddressForm.FULL) {
      return Ipv6Address.UNSPECIFIED;
    }
    return UnicastAddress.read(stateful, mode, context(stateful, id), linkId, in);
  }

  private Ipv6Address destination(int bits, int id, long linkId) throws WireException {
    boolean stateful = (bits & 4) != 0;
    int mode = bits & 3;
    Contexts.Context context = context(stateful, id);
    return (bits & 8) != 0
        ? MulticastAddress.read(stateful, mode, context, in)
        : UnicastAddress.read(stateful, mode, context, linkId, in);
  }

  private Contexts.Context context(boolean stateful, int id) throws WireException {
    contextUsed |= stateful;
    return stateful ? contexts.get(id) : Contexts.UNUSED;
  }

  /** Restores the compressed headers, then copies the rest. */
  private void nextHeaders(int start, long sourceId, long destinationId) throws WireException {
    int announcedAt = start + NEXT_HEADER_AT;
    while (announcedAt >= 0) {
      if (++headers > MAX_HEADERS) {
        throw new WireException(Drop.NHC_TOO_MANY_HEADERS);
      }
      announcedAt = nextHeader(announcedAt, start, sourceId, destinationId);
    }
    in.copyTo(out, in.remaining());
  }

  /**
   * Restores one header.
   *
   * @param announcedAt offset in {@code out} of the next header field for this header
   * @return the same offset for the following header; -1 if that header is not compressed
   */
  private int nextHeader(int announcedAt, int start, long sourceId, long destinationId)
      throws WireException {
    int id = in.u8();
    if (UdpNhc.is(id)) {
      out.patchU8(announcedAt, Protocol.UDP);
      udp(UdpNhc.read(id, in), start);
      return -1;
    }
    if (!ExtensionNhc.is(id)) {
      throw new WireException(Drop.NHC_UNKNOWN);
    }
    int eid = ExtensionNhc.eid(id);
    return switch (eid) {
      case ExtensionNhc.AH, ExtensionNhc.ESP -> ipsec(id, announcedAt);
      case ExtensionNhc.IPV6 -> {
        out.patchU8(announcedAt, Protocol.IPV6);
        header(sourceId, destinationId);
        yield -1;
      }
      default -> {
        out.patchU8(announcedAt, ExtensionNhc.protocol(eid));
        int nextAt = ExtensionNhc.read(id, in, out);
        yield ExtensionNhc.nextIsCompressed(id) ? nextAt : -1;
      }
    };
  }

  private int ipsec(int id, int announcedAt) throws WireException {
    if (!ExtensionNhc.nextIsCompressed(id)) {
      throw new WireException(Drop.NHC_UNKNOWN);
    }
    boolean outermost = ipsecOutAt == Decompressed.NONE;
    if (outermost) {
      ipsecOutAt = out.size();
      ipsecAt = in.position() - 1;
    }
    int encoding = in.u8();
    lowOctets = outermost ? IpsecNhc.lowOctets(encoding) : lowOctets;
    boolean compressed = IpsecNhc.nextIsCompressed(encoding);
    return switch (IpsecNhc.kind(encoding)) {
      case AH -> {
        out.patchU8(announcedAt, Protocol.AH);
        int nextAt = IpsecNhc.readAh(encoding, in, out);
        yield compressed ? nextAt : -1;
      }
      case ESP -> {
        if (compressed) {
          // The next header field would be inside the ciphertext, where no other host puts it.
          throw new WireException(Drop.NHC_UNKNOWN);
        }
        out.patchU8(announcedAt, Protocol.ESP);
        IpsecNhc.readEsp(encoding, in, out);
        yield -1;
      }
    };
  }

  private void udp(UdpNhc.Ports ports, int packetAt) throws WireException {
    int length = wholeSize >= 0 ? wholeSize - out.size() : UdpNhc.HEADER + in.remaining();
    if (length < UdpNhc.HEADER) {
      throw new WireException(Drop.FRAGMENT_SIZE);
    }
    out.u16(ports.source()).u16(ports.destination()).u16(length);
    if (ports.checksum() < 0) {
      checksumOf = packetAt;
      checksumAt = out.size();
      out.u16(0);
    } else {
      out.u16(ports.checksum());
    }
  }

  private int payloadLength(int packetAt) throws WireException {
    int length = (wholeSize >= 0 ? wholeSize : out.size()) - packetAt - Ipv6Packet.HEADER;
    if (length < 0) {
      throw new WireException(Drop.FRAGMENT_SIZE);
    }
    return length;
  }
}
