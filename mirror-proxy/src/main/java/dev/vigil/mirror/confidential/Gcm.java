package dev.vigil.mirror.confidential;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** AES-GCM with a tag of 16 octets (NIST SP 800-38D), by the JDK. */
public final class Gcm {
  /** Octets of a nonce. */
  public static final int NONCE = 12;

  /** Octets of a tag. */
  public static final int TAG = 16;

  private Gcm() {}

  /** The ciphertext and the tag behind it. The same nonce must not come twice with a key. */
  public static byte[] seal(byte[] key, byte[] nonce, byte[] additional, byte[] plain) {
    try {
      return run(Cipher.ENCRYPT_MODE, key, nonce, additional, plain);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks AES-GCM", e);
    }
  }

  /** Null when the tag is wrong. */
  public static byte @Nullable [] open(byte[] key, byte[] nonce, byte[] additional, byte[] sealed) {
    if (sealed.length < TAG) {
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
    cipher.init(mode, secret, new GCMParameterSpec(8 * TAG, nonce));
    cipher.updateAAD(additional);
    return cipher.doFinal(in);
  }
}
