package dev.vigil.mirror.confidential;

import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/** HKDF-SHA-256 (RFC 5869). */
public final class Hkdf {
  private Hkdf() {}

  /**
   * Extract and expand.
   *
   * @param secret the input keying material
   * @param length octets of output
   */
  public static byte[] hkdf(byte[] secret, byte[] salt, byte[] info, int length) {
    try {
      return KDF.getInstance("HKDF-SHA256", "SunJCE")
          .deriveData(
              HKDFParameterSpec.ofExtract().addIKM(secret).addSalt(salt).thenExpand(info, length));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks HKDF-SHA256", e);
    }
  }
}
