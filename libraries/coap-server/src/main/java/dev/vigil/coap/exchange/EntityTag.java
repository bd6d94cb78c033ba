package dev.vigil.coap.exchange;

/**
 * Identifies the resource state that a response shows, and the format of the response. The CoAP
 * ETag is one octet for the format followed by the number in 1 to 7 octets; the HTTP ETag is {@code
 * "number-format"}.
 *
 * @param number of the state, 0 to 2^56-1
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
