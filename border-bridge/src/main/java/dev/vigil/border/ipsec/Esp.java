package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.List;

/** ESP in transport mode (RFC 4303, section 3.1.1): protects and opens packets. */
final class Esp {
  private Esp() {}

  /** SPI and sequence number, which are in the clear. */
  record Header(int spi, long sequence) {}

  static Header header(Ipv6Packet packet) throws WireException {
    if (packet.protocol() != Protocol.ESP) {
      throw new WireException(Drop.POLICY, "no ESP");
    }
    for (ExtensionHeader extension : packet.extensions()) {
      if (extension instanceof ExtensionHeader.Fragment fragment
          && (fragment.offset() != 0 || fragment.more())) {
        throw new WireException(Drop.POLICY, "a fragment (RFC 4303, section 3.4.1)");
      }
    }
    WireReader in = new WireReader(packet.payload());
    return new Header((int) in.u32(), in.u32());
  }

  /** Encrypts everything after the headers that routers process. */
  static Ipv6Packet protect(
      Ipv6Packet packet,
      EspTransform transform,
      boolean udpCompressed,
      int spi,
      long sequence,
      byte[] iv)
      throws WireException {
    List<ExtensionHeader> headers = packet.extensions();
    int outside = HeaderPosition.of(headers);
    WireWriter inner = new WireWriter();
    for (int i = outside; i < headers.size(); i++) {
      headers.get(i).write(protocolAt(packet, i + 1), inner);
    }
    byte[] octets = inner.bytes(packet.payload()).toBytes();
    int protocol = protocolAt(packet, outside);
    if (udpCompressed && protocol == Protocol.UDP) {
      octets = UdpInEsp.compress(octets);
    }
    EspTransform.Content content = new EspTransform.Content(protocol, octets);
    byte[] esp = transform.seal(spi, sequence, iv, content);
    return packet.withExtensions(headers.subList(0, outside)).withPayload(Protocol.ESP, esp);
  }

  /**
   * Verifies and decrypts.
   *
   * @return the packet before it was protected
   */
  static Ipv6Packet open(Ipv6Packet packet, EspTransform transform, boolean udpCompressed)
      throws WireException {
    EspTransform.Content content = transform.open(packet.payload());
    boolean compressed = udpCompressed && content.protocol() == Protocol.UDP;
    byte[] octets = compressed ? UdpInEsp.expand(content.octets()) : content.octets();
    return Ipv6Packet.parse(packet.withPayload(content.protocol(), octets).encode());
  }

  /**
   * The protocol of the extension header at this index, or of the payload after the last header.
   */
  private static int protocolAt(Ipv6Packet packet, int index) {
    List<ExtensionHeader> headers = packet.extensions();
    return index < headers.size() ? headers.get(index).protocol() : packet.protocol();
  }
}
