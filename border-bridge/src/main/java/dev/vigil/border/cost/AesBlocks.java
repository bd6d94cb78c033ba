package dev.vigil.border.cost;

import dev.vigil.border.ieee802154.SecurityLevel;

/** The number of AES blocks that a cipher mode needs, without key schedules and subkeys. */
public final class AesBlocks {
  private static final int BLOCK = 16;

  /** The length field before the associated data of CCM (RFC 3610, section 2.2). */
  private static final int ASSOCIATED_LENGTH = 2;

  private AesBlocks() {}

  /** CTR and CBC encryption. */
  public static int of(int octets) {
    return (octets + BLOCK - 1) / BLOCK;
  }

  /** AES-XCBC-MAC-96; an empty message also takes one block. */
  public static int xcbc(int octets) {
    return Math.max(1, of(octets));
  }

  /**
   * CCM: B_0 and A_0, the associated data, and the text once for the MIC and once for encryption.
   */
  public static int ccm(int associated, int text) {
    return 2 + (associated == 0 ? 0 : of(ASSOCIATED_LENGTH + associated)) + 2 * of(text);
  }

  /**
   * A frame of 802.15.4. Level 4 counts like level 5, because the mote of Alharby's tables computes
   * a MIC at level 4 too, without sending it.
   *
   * @param header octets of the MAC header with the auxiliary security header
   */
  public static int frame(SecurityLevel level, int header, int payload) {
    if (level == SecurityLevel.NONE) {
      return 0;
    }
    return level.encrypts() ? ccm(header, payload) : ccm(header + payload, 0);
  }
}
