package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/** A UDP datagram (RFC 768); its checksum is mandatory (RFC 8200, section 8.1). */
public record Udp(int sourcePort, int destinationPort, byte[] payload) {
  /** Octets of the header. */
  public static final int HEADER = 8;

  /**
   * @param destination the final one
   * @throws WireException {@link Drop#UDP_LENGTH}, {@link Drop#UDP_CHECKSUM} (also when 0)
   */
  public static Udp parse(byte[] message, Ipv6Address source, Ipv6Address destination)
      throws WireException {
    WireReader in = new WireReader(message);
    int sourcePort = in.u16();
    int destinationPort = in.u16();
    if (in.u16() != message.length) {
      throw new WireException(Drop.UDP_LENGTH);
    }
    if (in.u16() == 0 || Checksum.of(source, destination, Protocol.UDP, message) != 0) {
      throw new WireException(Drop.UDP_CHECKSUM);
    }
    return new Udp(sourcePort, destinationPort, in.rest());
  }

  /** Header and payload with the checksum. */
  public byte[] encode(Ipv6Address source, Ipv6Address destination) {
    WireWriter out = new WireWriter(HEADER + payload.length);
    out.u16(sourcePort).u16(destinationPort).u16(HEADER + payload.length).u16(0).bytes(payload);
    byte[] message = out.toBytes();
    int checksum = Checksum.of(source, destination, Protocol.UDP, message);
    WireWriter summed = new WireWriter(message.length).bytes(message);
    summed.patchU16(6, checksum == 0 ? 0xffff : checksum);
    return summed.toBytes();
  }
}
