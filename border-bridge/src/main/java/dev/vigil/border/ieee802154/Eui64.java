package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.HexFormat;

/**
 * An extended address.
 *
 * @param value its eight octets as a big-endian number
 */
public record Eui64(long value) {
  private static final long UNIVERSAL_LOCAL_BIT = 1L << 57;
  private static final int DIGITS = 16;

  /**
   * The interface identifier of this address: the universal/local bit inverted (RFC 4291, appendix
   * A).
   */
  public long interfaceId() {
    return value ^ UNIVERSAL_LOCAL_BIT;
  }

  /** The address whose {@link #interfaceId()} this is. */
  public static Eui64 ofInterfaceId(long interfaceId) {
    return new Eui64(interfaceId ^ UNIVERSAL_LOCAL_BIT);
  }

  /**
   * @param text 16 hex digits, octets optionally separated by colons or dashes
   */
  public static Eui64 parse(String text) throws WireException {
    String digits = text.replace(":", "").replace("-", "");
    try {
      if (digits.length() == DIGITS) {
        return new Eui64(HexFormat.fromHexDigitsToLong(digits));
      }
    } catch (NumberFormatException e) {
      throw new WireException(Drop.BAD_TEXT, "not an EUI-64: " + text);
    }
    throw new WireException(Drop.BAD_TEXT, "not an EUI-64: " + text);
  }

  /** Sixteen hex digits without separators. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(value);
  }
}
