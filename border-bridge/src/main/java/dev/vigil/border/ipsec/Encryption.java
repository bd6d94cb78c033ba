package dev.vigil.border.ipsec;

/** The encryption algorithm of an association. */
public enum Encryption {
  /** RFC 2410. */
  NULL(0, 0, 4, 0),
  /** RFC 3602. */
  AES_CBC(0, 16, 16, 0),
  /** RFC 3686. */
  AES_CTR(4, 8, 4, 0),
  /** RFC 4309, with the ICV length in octets. */
  AES_CCM_8(3, 8, 4, 8),
  AES_CCM_12(3, 8, 4, 12),
  AES_CCM_16(3, 8, 4, 16);

  private final int saltLength;
  private final int ivLength;
  private final int alignment;
  private final int icvLength;

  Encryption(int saltLength, int ivLength, int alignment, int icvLength) {
    this.saltLength = saltLength;
    this.ivLength = ivLength;
    this.alignment = alignment;
    this.icvLength = icvLength;
  }

  /** Octets at the end of the key material that belong to each nonce. */
  public int saltLength() {
    return saltLength;
  }

  /** Octets of the IV before the ciphertext. */
  public int ivLength() {
    return ivLength;
  }

  /** Plaintext and trailer together are padded to a multiple of this. */
  int alignment() {
    return alignment;
  }

  /** Octets of the ICV of a combined mode; otherwise 0. */
  public int icvLength() {
    return icvLength;
  }

  /** Whether the cipher also authenticates. */
  public boolean isCombined() {
    return icvLength > 0;
  }
}
