package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/** The frame check sequence on the virtual air, where one stack computes it differently. */
final class AirFcs {
  private AirFcs() {}

  /**
   * The frame without its FCS. RIOT's native radio computes the FCS most significant bit first
   * since 2022, and checks none; on the virtual air both are taken, and only the standard's is
   * handed on.
   */
  static byte[] strip(byte[] framed) throws WireException {
    WireReader in = new WireReader(framed);
    byte[] frame = in.bytes(in.remaining() - Fcs.LENGTH);
    return in.u16LE() == unreflected(frame) ? frame : Fcs.strip(framed);
  }

  private static int unreflected(byte[] octets) {
    int crc = 0;
    for (byte octet : octets) {
      crc ^= (octet & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) != 0 ? (crc << 1 ^ 0x1021) & 0xffff : crc << 1;
      }
    }
    return crc;
  }
}
