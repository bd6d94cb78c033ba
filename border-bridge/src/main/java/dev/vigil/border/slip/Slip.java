package dev.vigil.border.slip;

import java.io.ByteArrayOutputStream;

/** SLIP framing as Contiki-NG does it (RFC 1055, an END before each frame as well). */
public final class Slip {
  static final int END = 0xC0;
  static final int ESC = 0xDB;
  static final int ESC_END = 0xDC;
  static final int ESC_ESC = 0xDD;

  private Slip() {}

  /** One frame with an END before and after it: line noise before it cannot spoil it. */
  public static byte[] encode(byte[] frame) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(frame.length + 8);
    out.write(END);
    for (byte octet : frame) {
      switch (octet & 0xff) {
        case END -> writeEscaped(out, ESC_END);
        case ESC -> writeEscaped(out, ESC_ESC);
        default -> out.write(octet);
      }
    }
    out.write(END);
    return out.toByteArray();
  }

  private static void writeEscaped(ByteArrayOutputStream out, int octet) {
    out.write(ESC);
    out.write(octet);
  }
}
