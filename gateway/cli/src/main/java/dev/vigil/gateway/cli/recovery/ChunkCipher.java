package dev.vigil.gateway.cli.recovery;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM of a stream in chunks (the STREAM construction of Hoang, Reyhanitabar, Rogaway and
 * Vizár, 2015). The nonce contains the number of the chunk and a flag for the last chunk. Therefore
 * chunks, including the last ones, cannot be reordered or omitted. A key encrypts only one stream.
 */
final class ChunkCipher {
  /** The number of plaintext octets in every chunk; the last chunk may be shorter. */
  static final int CHUNK = 65_536;

  static final int TAG = 16;
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final SecretKey key;
  private final byte[] associated;

  /**
   * @param associated associated data that every chunk authenticates
   */
  ChunkCipher(SecretKey key, byte[] associated) {
    this.key = key;
    this.associated = associated;
  }

  byte[] seal(byte[] plaintext, int length, long number, boolean last) {
    try {
      return cipher(Cipher.ENCRYPT_MODE, number, last).doFinal(plaintext, 0, length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The plaintext; null when the chunk is not authentic. */
  byte @Nullable [] open(byte[] sealed, int length, long number, boolean last) {
    try {
      return cipher(Cipher.DECRYPT_MODE, number, last).doFinal(sealed, 0, length);
    } catch (AEADBadTagException e) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Cipher cipher(int mode, long number, boolean last) throws GeneralSecurityException {
    byte[] nonce = new byte[NONCE];
    ByteBuffer.wrap(nonce).putLong(number).put(NONCE - 1, (byte) (last ? 1 : 0));
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(Arrays.copyOf(associated, associated.length));
    return cipher;
  }
}
