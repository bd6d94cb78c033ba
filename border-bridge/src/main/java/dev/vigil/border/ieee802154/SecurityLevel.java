package dev.vigil.border.ieee802154;

/** The security levels; the code point is the ordinal (802.15.4-2006, table 95). */
public enum SecurityLevel {
  NONE(false, 0),
  MIC_32(false, 4),
  MIC_64(false, 8),
  MIC_128(false, 16),
  /**
   * Encryption without MIC. Such a frame can be changed without detection, so it is refused by
   * default.
   */
  ENC(true, 0),
  ENC_MIC_32(true, 4),
  ENC_MIC_64(true, 8),
  ENC_MIC_128(true, 16);

  private static final SecurityLevel[] BY_CODE = values();

  private final boolean encrypts;
  private final int micLength;

  SecurityLevel(boolean encrypts, int micLength) {
    this.encrypts = encrypts;
    this.micLength = micLength;
  }

  /**
   * @param code 0 to 7
   */
  public static SecurityLevel of(int code) {
    return BY_CODE[code];
  }

  public boolean encrypts() {
    return encrypts;
  }

  /** Octets of the MIC after the payload. */
  public int micLength() {
    return micLength;
  }

  /** Whether a frame of this level has a MIC, which authenticates its sender. */
  public boolean authenticates() {
    return micLength > 0;
  }
}
