package dev.vigil.border.slip;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/** SLIP framing as in Contiki-NG: RFC 1055 with an additional END before each frame. */
public final class Slip {
  static final int END = 0xC0;
  static final int ESC = 0xDB;
  static final int ESC_END = 0xDC;
  static final int ESC_ESC = 0xDD;

  private Slip() {}

  /** A frame between two ENDs; the first one ends any line noise before the frame. */
  public static byte[] encode(byte[] frame) {
    WireReader in = new WireReader(frame);
    WireWriter out = new WireWriter(frame.length + 8).u8(END);
    try {
      while (!in.isEmpty()) {
        int octet = in.u8();
        switch (octet) {
          case END -> out.u8(ESC).u8(ESC_END);
          case ESC -> out.u8(ESC).u8(ESC_ESC);
          default -> out.u8(octet);
        }
      }
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
    return out.u8(END).toBytes();
  }
}
