package dev.vigil.border.ipsec;

import dev.vigil.border.ipsec.Association.AhProtection;
import dev.vigil.border.ipsec.Association.EspProtection;
import dev.vigil.border.ipsec.Association.Protection;
import java.util.Arrays;
import java.util.Optional;

/** A header with its algorithms, as the file of associations names it. */
public enum Profile {
  CBC_XCBC("esp", "cbc-xcbc", Encryption.AES_CBC, Integrity.AES_XCBC_96),
  CTR_XCBC("esp", "ctr-xcbc", Encryption.AES_CTR, Integrity.AES_XCBC_96),
  CBC_SHA1("esp", "cbc-sha1", Encryption.AES_CBC, Integrity.HMAC_SHA1_96),
  CTR_SHA1("esp", "ctr-sha1", Encryption.AES_CTR, Integrity.HMAC_SHA1_96),
  CBC_SHA256("esp", "cbc-sha256", Encryption.AES_CBC, Integrity.HMAC_SHA256_128),
  CCM8("esp", "ccm8", Encryption.AES_CCM_8, Integrity.NONE),
  AH_SHA1("ah", "ah-sha1", Encryption.NULL, Integrity.HMAC_SHA1_96),
  AH_XCBC("ah", "ah-xcbc", Encryption.NULL, Integrity.AES_XCBC_96);

  private static final int AES_KEY = 16;

  private final String header;
  private final String label;
  private final Encryption encryption;
  private final Integrity integrity;

  Profile(String header, String label, Encryption encryption, Integrity integrity) {
    this.header = header;
    this.label = label;
    this.encryption = encryption;
    this.integrity = integrity;
  }

  /** The profile of this name; empty if there is none. */
  public static Optional<Profile> of(String label) {
    return Arrays.stream(values()).filter(profile -> profile.label.equals(label)).findFirst();
  }

  /** {@code esp} or {@code ah}. */
  public String header() {
    return header;
  }

  /** The name in the file. */
  public String label() {
    return label;
  }

  public Encryption encryption() {
    return encryption;
  }

  public Integrity integrity() {
    return integrity;
  }

  /** Octets of the cipher's key with its salt; 0 without a cipher. */
  public int cipherKey() {
    return encryption == Encryption.NULL ? 0 : AES_KEY + encryption.saltLength();
  }

  /** Octets of the integrity key; 0 if the cipher authenticates. */
  public int integrityKey() {
    return integrity.keyLength();
  }

  /**
   * The header with its keys.
   *
   * @param cipher of {@link #cipherKey} octets
   * @param authentication of {@link #integrityKey} octets
   * @param udpCompressed whether UDP headers are compressed inside ESP
   */
  Protection with(byte[] cipher, byte[] authentication, boolean udpCompressed) {
    return header.equals("ah")
        ? new AhProtection(integrity, authentication)
        : new EspProtection(encryption, cipher, integrity, authentication, udpCompressed);
  }
}
