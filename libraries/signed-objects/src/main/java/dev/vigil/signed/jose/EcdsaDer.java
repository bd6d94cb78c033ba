package dev.vigil.signed.jose;

import dev.vigil.signed.wire.WireWriter;

/** ECDSA signatures as {@code SEQUENCE { r INTEGER, s INTEGER }} (RFC 3279 section 2.2.3). */
final class EcdsaDer {
  private static final int SEQUENCE = 0x30;
  private static final int INTEGER = 0x02;
  private static final int HEADER = 2;

  private EcdsaDer() {}

  /**
   * @param signature R and S in the form of JOSE (RFC 7518 section 3.4), at most 48 octets each, so
   *     that every length fits in one octet
   */
  static byte[] of(byte[] signature) {
    int half = signature.length / 2;
    int r = firstDigit(signature, 0, half);
    int s = firstDigit(signature, half, signature.length);
    int length = 2 * HEADER + length(signature, r, half) + length(signature, s, signature.length);
    WireWriter out = new WireWriter(HEADER + length).u8(SEQUENCE).u8(length);
    integer(out, signature, r, half);
    integer(out, signature, s, signature.length);
    return out.toOctets();
  }

  /** DER has no leading zeros, but at least one octet. */
  private static int firstDigit(byte[] octets, int from, int to) {
    int first = from;
    while (first < to - 1 && octets[first] == 0) {
      first++;
    }
    return first;
  }

  /** A number whose top bit is set gets a leading zero, because it is not negative. */
  private static int length(byte[] octets, int from, int to) {
    return to - from + (octets[from] < 0 ? 1 : 0);
  }

  private static void integer(WireWriter out, byte[] octets, int from, int to) {
    out.u8(INTEGER).u8(length(octets, from, to));
    if (octets[from] < 0) {
      out.u8(0);
    }
    out.octets(octets, from, to);
  }
}
