package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/** The frame check sequence on the virtual air. RIOT computes it differently. */
final class AirFcs {
  private AirFcs() {}

  /**
   * The frame without its FCS. Since 2022 RIOT's native radio computes the FCS with the most
   * significant bit first, and does not check received ones. The ether accepts both forms and sends
   * the standard's.
   */
  static byte[] strip(byte[] framed) throws WireException {
    WireReader in = new WireReader(framed);
    byte[] frame = in.bytes(in.remaining() - Fcs.LENGTH);
    return in.u16LE() == unreflected(frame) ? frame : Fcs.strip(framed);
  }

  private static int unreflected(byte[] octets) throws WireException {
    WireReader in = new WireReader(octets);
    int crc = 0;
    while (!in.isEmpty()) {
      crc ^= in.u8() << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) != 0 ? (crc << 1 ^ 0x1021) & 0xffff : crc << 1;
      }
    }
    return crc;
  }
}
