package dev.vigil.directory.exchange;

/**
 * Which state of a resource, and which form of it, an answer shows. Over CoAP it is one octet for
 * the format then the number in 1 to 7 octets, over HTTP {@code "number-format"}.
 *
 * @param number 0 to 2^56-1
 */
public record EntityTag(long number, ContentFormat format) {
  private static final int NUMBER_OCTETS = 7;

  public EntityTag {
    if (number < 0 || number >>> (8 * NUMBER_OCTETS) != 0) {
      throw new IllegalArgumentException("entity tag number out of range: " + number);
    }
  }

  public byte[] octets() {
    int length = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / 8);
    byte[] octets = new byte[1 + length];
    octets[0] = (byte) format.ordinal();
    for (int i = 0; i < length; i++) {
      octets[length - i] = (byte) (number >>> (8 * i));
    }
    return octets;
  }

  public String http() {
    return "\"" + number + "-" + format.number() + "\"";
  }
}
