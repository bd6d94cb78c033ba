package dev.vigil.border.crypto;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES in cipher block chaining mode (RFC 3602), whole blocks only. */
public final class AesCbc {
  private final SecretKeySpec key;
  private final Cipher cipher;

  /**
   * @param key 16, 24 or 32 octets; copied
   */
  public AesCbc(byte[] key) {
    this.key = Aes.spec(key);
    try {
      cipher = Cipher.getInstance("AES/CBC/NoPadding", Aes.provider());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  /**
   * @param iv 16 unpredictable octets
   * @param input whole blocks
   */
  public byte[] encrypt(byte[] iv, byte[] input) {
    return apply(Cipher.ENCRYPT_MODE, iv, input);
  }

  /**
   * @param input whole blocks
   */
  public byte[] decrypt(byte[] iv, byte[] input) {
    return apply(Cipher.DECRYPT_MODE, iv, input);
  }

  private byte[] apply(int mode, byte[] iv, byte[] input) {
    try {
      cipher.init(mode, key, new IvParameterSpec(iv));
      return cipher.doFinal(input);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("whole blocks only", e);
    }
  }
}
