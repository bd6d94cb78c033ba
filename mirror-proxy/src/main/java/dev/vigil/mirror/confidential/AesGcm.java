package dev.vigil.mirror.confidential;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** AES-GCM with a tag of 16 octets (NIST SP 800-38D), computed by the JDK. */
public final class AesGcm {
  public static final int NONCE_LENGTH = 12;
  public static final int TAG_LENGTH = 16;

  private AesGcm() {}

  /** Returns ciphertext and tag. A nonce must not be used twice with the same key. */
  public static byte[] seal(byte[] key, byte[] nonce, byte[] additional, byte[] plain) {
    try {
      return run(Cipher.ENCRYPT_MODE, key, nonce, additional, plain);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks AES-GCM", e);
    }
  }

  /** Returns the plaintext; null if the tag is wrong. */
  public static byte @Nullable [] open(byte[] key, byte[] nonce, byte[] additional, byte[] sealed) {
    if (sealed.length < TAG_LENGTH) {
      return null;
    }
    try {
      return run(Cipher.DECRYPT_MODE, key, nonce, additional, sealed);
    } catch (AEADBadTagException e) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks AES-GCM", e);
    }
  }

  private static byte[] run(int mode, byte[] key, byte[] nonce, byte[] additional, byte[] in)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
    SecretKeySpec secret = new SecretKeySpec(Arrays.copyOf(key, key.length), "AES");
    cipher.init(mode, secret, new GCMParameterSpec(8 * TAG_LENGTH, nonce));
    cipher.updateAAD(additional);
    return cipher.doFinal(in);
  }
}
