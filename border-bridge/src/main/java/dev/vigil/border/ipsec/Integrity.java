package dev.vigil.border.ipsec;

/** The integrity algorithm of an association. */
public enum Integrity {
  /** None, or part of a combined encryption mode. */
  NONE(0, 0),
  /** AES-XCBC-MAC-96 (RFC 3566). */
  AES_XCBC_96(16, 12),
  /** HMAC-SHA-1-96 (RFC 2404). */
  HMAC_SHA1_96(20, 12),
  /** HMAC-SHA-256-128 (RFC 4868). */
  HMAC_SHA256_128(32, 16);

  private final int keyLength;
  private final int icvLength;

  Integrity(int keyLength, int icvLength) {
    this.keyLength = keyLength;
    this.icvLength = icvLength;
  }

  /** Octets of the key. */
  public int keyLength() {
    return keyLength;
  }

  /** Octets of the integrity check value. */
  public int icvLength() {
    return icvLength;
  }
}
