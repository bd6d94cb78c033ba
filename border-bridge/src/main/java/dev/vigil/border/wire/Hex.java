package dev.vigil.border.wire;

import java.util.HexFormat;

/** Hexadecimal text of octets, without separators. */
public final class Hex {
  private static final HexFormat HEX = HexFormat.of();

  private Hex() {}

  public static String format(byte[] octets) {
    return HEX.formatHex(octets);
  }

  /**
   * @throws WireException {@link Drop#BAD_TEXT} if the text is not an even number of hex digits
   */
  public static byte[] parse(CharSequence text) throws WireException {
    try {
      return HEX.parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new WireException(Drop.BAD_TEXT, "not hexadecimal");
    }
  }
}
