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
 * Compresses the headers of a packet (IPHC; RFC 6282, section 3). Any octets may follow the IPv6
 * header. A header that has no compressed form or would not fit stays inline, with everything after
 * it.
 */
final class Compressor {
  /** The first three bits of an IPHC dispatch. */
  static final int DISPATCH = 0x6000;

  private static final int TRAFFIC_SHIFT = 11;
  private static final int NEXT_COMPRESSED = 1 << 10;
  private static final int HOP_LIMIT_SHIFT = 8;
  private static final int CONTEXT_EXTENSION = 1 << 7;
  private static final int SOURCE_SHIFT = 4;
  private static final int MULTICAST = 1 << 3;
  private static final int INITIAL_SIZE = 128;

  /** Dispatch, context identifiers, next header and hop limit. */
  private static final int MAX_FIXED_LENGTH = 5;

  private static final int NONE = -1;

  /** Octets by which a header may grow: its NHC octet, its next header, its length. */
  private static final int OVERHEAD = 3;

  private final Contexts contexts;
  private final NhcSupport nhc;
  private final int lowOctets;
  private final int maxLength;
  private final WireWriter out = new WireWriter(INITIAL_SIZE);
  private int headers;

  /** The offsets of AH and ESP in the packet and in the output; {@link #NONE} without them. */
  private int ipsecAt = NONE;

  private int ipsecOutAt;

  private Compressor(Contexts contexts, NeighbourForms forms, int maxLength) {
    this.contexts = contexts;
    this.nhc = forms.nhc();
    this.lowOctets = forms.lowOctets();
    this.maxLength = maxLength;
  }

  /**
   * A compressed packet.
   *
   * @param header the compressed headers; the rest may be appended
   * @param rest the uncompressed rest of the packet; its position counts the compressed octets
   * @param saving octets saved by compressed AH and ESP
   */
  record Compressed(WireWriter header, WireReader rest, IpsecSaving saving) {}

  /**
   * @param sourceId interface identifier of the source link address
   * @param destinationId interface identifier of the destination link address
   * @param maxLength octets that the compressed headers may have, at least 48
   * @throws WireException if the octets are not one IPv6 packet with a correct length
   */
  static Compressed compress(
      byte[] ipv6,
      long sourceId,
      long destinationId,
      Contexts contexts,
      NeighbourForms forms,
      int maxLength)
      throws WireException {
    WireReader packet = new WireReader(ipv6);
    Compressor compressor = new Compressor(contexts, forms, maxLength);
    compressor.header(packet, sourceId, destinationId);
    return new Compressed(compressor.out, packet, compressor.saving(packet));
  }

  private IpsecSaving saving(WireReader packet) {
    return ipsecAt == NONE
        ? IpsecSaving.NONE
        : IpsecSaving.of(packet.position() - ipsecAt, out.size() - ipsecOutAt);
  }

  /** Returns the octets to write of the header's sequence number; 0 for the whole number. */
  private int beginIpsec(WireReader packet) {
    if (ipsecAt != NONE) {
      return 0;
    }
    ipsecAt = packet.position();
    ipsecOutAt = out.size();
    return lowOctets;
  }

  private void header(WireReader packet, long sourceId, long destinationId) throws WireException {
    long first = packet.u32();
    if (first >>> 28 != 6) {
      throw new WireException(Drop.IP_VERSION);
    }
    int length = packet.u16();
    int next = packet.u8();
    int hopLimit = packet.u8();
    Ipv6Address source = Ipv6Address.read(packet);
    Ipv6Address destination = Ipv6Address.read(packet);
    if (length != packet.remaining()) {
      throw new WireException(Drop.IP_LENGTH);
    }
    TrafficFields traffic = new TrafficFields((int) (first >>> 20) & 0xff, (int) first & 0xfffff);
    AddressForm from = UnicastAddress.sourceForm(source, sourceId, contexts);
    AddressForm to =
        destination.isMulticast()
            ? MulticastAddress.form(destination, contexts)
            : UnicastAddress.form(destination, destinationId, contexts);
    int own = MAX_FIXED_LENGTH + traffic.length() + from.inline() + to.inline();
    int nextLength = compressibleLength(next, packet, out.size() + own);
    boolean extension = from.context() != 0 || to.context() != 0;
    out.u16(
        DISPATCH
            | traffic.mode() << TRAFFIC_SHIFT
            | (nextLength >= 0 ? NEXT_COMPRESSED : 0)
            | HopLimit.mode(hopLimit) << HOP_LIMIT_SHIFT
            | (extension ? CONTEXT_EXTENSION : 0)
            | from.bits() << SOURCE_SHIFT
            | (destination.isMulticast() ? MULTICAST : 0)
            | to.bits());
    if (extension) {
      out.u8(from.context() << 4 | to.context());
    }
    traffic.write(out);
    if (nextLength < 0) {
      out.u8(next);
    }
    HopLimit.write(hopLimit, out);
    addresses(source, from, destination, to);
    if (nextLength >= 0) {
      nextHeaders(next, nextLength, packet, source.low(), destination.low());
    }
  }

  private void addresses(
      Ipv6Address source, AddressForm from, Ipv6Address destination, AddressForm to) {
    from.writeTail(source, out);
    if (destination.isMulticast()) {
      MulticastAddress.write(to, destination, out);
    } else {
      to.writeTail(destination, out);
    }
  }

  /** Writes compressed headers up to the first header without a compressed form. */
  private void nextHeaders(
      int first, int firstLength, WireReader packet, long sourceId, long destinationId)
      throws WireException {
    int protocol = first;
    int length = firstLength;
    while (length >= 0) {
      switch (protocol) {
        case Protocol.UDP -> {
          UdpNhc.write(packet, out);
          return;
        }
        case Protocol.ESP -> {
          int low = beginIpsec(packet);
          out.u8(ExtensionNhc.id(ExtensionNhc.ESP, true));
          IpsecNhc.writeEsp(packet, low, out);
          return;
        }
        case Protocol.IPV6 -> {
          out.u8(ExtensionNhc.id(ExtensionNhc.IPV6, false));
          header(packet, sourceId, destinationId);
          return;
        }
        default -> {}
      }
      int next = packet.peek();
      WireReader behind = packet.fork();
      behind.skip(length);
      int nextLength = compressibleLength(next, behind, out.size() + length + OVERHEAD);
      if (protocol == Protocol.AH) {
        int low = beginIpsec(packet);
        out.u8(ExtensionNhc.id(ExtensionNhc.AH, true));
        IpsecNhc.writeAh(packet, nextLength >= 0, low, out);
      } else {
        ExtensionNhc.write(protocol, length, nextLength >= 0, packet, out);
      }
      protocol = next;
      length = nextLength;
    }
  }

  /**
   * The length of the next header if it is to be compressed, otherwise -1.
   *
   * @param used octets of the compressed headers before it
   */
  private int compressibleLength(int protocol, WireReader packet, int used) throws WireException {
    int length =
        switch (protocol) {
          case Protocol.UDP -> nhc.udp() && UdpNhc.isCompressible(packet) ? UdpNhc.HEADER : -1;
          case Protocol.AH -> nhc.ipsec() ? IpsecNhc.ahLength(packet) : -1;
          case Protocol.ESP ->
              nhc.ipsec() && packet.remaining() >= IpsecNhc.ESP_HEADER ? IpsecNhc.ESP_HEADER : -1;
          case Protocol.HOP_BY_HOP, Protocol.ROUTING, Protocol.DESTINATION_OPTIONS ->
              nhc.extensions() ? ExtensionNhc.length(protocol, packet) : -1;
          case Protocol.FRAGMENT, Protocol.MOBILITY ->
              nhc.otherHeaders() ? ExtensionNhc.length(protocol, packet) : -1;
          case Protocol.IPV6 -> nhc.otherHeaders() && isPacket(packet) ? Ipv6Packet.HEADER : -1;
          default -> -1;
        };
    if (length < 0 || used + length + OVERHEAD > maxLength || headers == Decompressor.MAX_HEADERS) {
      return -1;
    }
    headers++;
    return length;
  }

  /** Whether the octets are one IPv6 packet, so that its header can be compressed too. */
  private static boolean isPacket(WireReader octets) throws WireException {
    WireReader in = octets.fork();
    if (in.remaining() < Ipv6Packet.HEADER || in.u8() >> 4 != 6) {
      return false;
    }
    in.skip(3);
    int length = in.u16();
    return length == octets.remaining() - Ipv6Packet.HEADER;
  }
}
