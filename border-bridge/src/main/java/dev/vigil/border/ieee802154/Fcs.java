package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * The frame check sequence: CRC-16 of ITU-T, x^16 + x^12 + x^5 + 1, bits reversed, start 0, low
 * octet first (802.15.4-2006, section 7.2.1.9).
 */
public final class Fcs {
  /** Octets at the end of a PSDU. */
  public static final int LENGTH = 2;

  private static final int POLYNOMIAL = 0x8408;
  private static final int[] TABLE = table();

  private Fcs() {}

  /** The checksum of a frame without FCS. */
  public static int of(byte[] frame) {
    int crc = 0;
    for (byte octet : frame) {
      crc = crc >> 8 ^ TABLE[(crc ^ octet) & 0xff];
    }
    return crc;
  }

  /** The frame followed by its FCS. */
  public static byte[] append(byte[] frame) {
    return new WireWriter(frame.length + LENGTH).bytes(frame).u16LE(of(frame)).toBytes();
  }

  /**
   * The frame without its FCS.
   *
   * @throws WireException {@link Drop#FCS_WRONG}, or {@link Drop#TRUNCATED} if it is too short
   */
  public static byte[] strip(byte[] psdu) throws WireException {
    WireReader in = new WireReader(psdu);
    byte[] frame = in.bytes(in.remaining() - LENGTH);
    if (in.u16LE() != of(frame)) {
      throw new WireException(Drop.FCS_WRONG);
    }
    return frame;
  }

  private static int[] table() {
    int[] table = new int[256];
    for (int octet = 0; octet < table.length; octet++) {
      int crc = octet;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >> 1 : crc >> 1 ^ POLYNOMIAL;
      }
      table[octet] = crc;
    }
    return table;
  }
}
