package dev.vigil.border.wire;

import java.util.HexFormat;

/** Octets as hexadecimal text and back, as tools and vectors write them. */
public final class Octets {
  private static final HexFormat HEX = HexFormat.of();

  private Octets() {}

  public static String hex(byte[] octets) {
    return HEX.formatHex(octets);
  }

  /**
   * @throws WireException {@link Drop#BAD_TEXT} if the text is not an even number of hex digits
   */
  public static byte[] parseHex(CharSequence text) throws WireException {
    try {
      return HEX.parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new WireException(Drop.BAD_TEXT, "not hexadecimal");
    }
  }
}
