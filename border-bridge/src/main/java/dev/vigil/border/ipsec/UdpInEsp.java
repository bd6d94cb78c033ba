package dev.vigil.border.ipsec;

import dev.vigil.border.sixlowpan.UdpNhc;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * The compressed UDP header inside ESP (docs/protocol.md section 10): NHC of RFC 6282 with the
 * checksum, then the payload.
 */
final class UdpInEsp {
  private UdpInEsp() {}

  /** The UDP message with its header compressed. */
  static byte[] compress(byte[] message) throws WireException {
    WireReader in = new WireReader(message);
    if (!UdpNhc.isCompressible(in)) {
      throw new WireException(Drop.UDP_LENGTH, "a length that cannot be elided");
    }
    WireWriter out = new WireWriter(message.length);
    UdpNhc.write(in, out);
    return out.bytes(in.rest()).toBytes();
  }

  /** The UDP message with its header restored. */
  static byte[] expand(byte[] content) throws WireException {
    WireReader in = new WireReader(content);
    int id = in.u8();
    if (!UdpNhc.is(id)) {
      throw new WireException(Drop.NHC_UNKNOWN, "no compressed UDP header");
    }
    UdpNhc.Ports ports = UdpNhc.read(id, in);
    if (ports.checksum() < 0) {
      throw new WireException(Drop.NHC_UNKNOWN, "no checksum");
    }
    byte[] payload = in.rest();
    int length = UdpNhc.HEADER + payload.length;
    return new WireWriter(length)
        .u16(ports.source())
        .u16(ports.destination())
        .u16(length)
        .u16(ports.checksum())
        .bytes(payload)
        .toBytes();
  }
}
