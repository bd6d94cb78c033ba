package dev.vigil.border.crypto;

import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One AES key with its two uses: encrypted blocks (a key stream) and a CBC-MAC. The JDK's own
 * provider is requested because a call to other providers costs more than the few blocks of a
 * frame.
 */
public final class Aes {
  /** Octets of a block. */
  public static final int BLOCK = 16;

  private static final Provider PROVIDER = provider();

  private final Cipher blocks;
  private final Cipher chain;

  /** The last output of the chaining cipher, which is XORed with the next block. */
  private byte[] chained = new byte[BLOCK];

  /**
   * @param key 16, 24 or 32 octets; copied
   */
  public Aes(byte[] key) {
    SecretKeySpec spec = spec(key);
    try {
      blocks = Cipher.getInstance("AES/ECB/NoPadding", PROVIDER);
      blocks.init(Cipher.ENCRYPT_MODE, spec);
      chain = Cipher.getInstance("AES/CBC/NoPadding", PROVIDER);
      chain.init(Cipher.ENCRYPT_MODE, spec, new IvParameterSpec(chained));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  /** Encrypts whole blocks independently (ECB). */
  public byte[] encryptBlocks(byte[] input) {
    byte[] output = new byte[input.length];
    update(blocks, input, output);
    return output;
  }

  /**
   * The last block of a CBC encryption with a zero initial vector.
   *
   * @param input whole blocks, at least one; its first block is changed
   */
  public byte[] cbcMac(byte[] input) {
    xor(chained, 0, input, 0, BLOCK);
    byte[] output = new byte[input.length];
    update(chain, input, output);
    chained = Arrays.copyOfRange(output, output.length - BLOCK, output.length);
    return chained.clone();
  }

  /** Checks the length of a key. */
  static SecretKeySpec spec(byte[] key) {
    if (key.length != 16 && key.length != 24 && key.length != 32) {
      throw new IllegalArgumentException("an AES key has 16, 24 or 32 octets");
    }
    return new SecretKeySpec(key, "AES");
  }

  /** XORs octets into others: {@code target[at + i] ^= source[from + i]}. */
  static void xor(byte[] source, int from, byte[] target, int at, int count) {
    for (int i = 0; i < count; i++) {
      target[at + i] ^= source[from + i];
    }
  }

  private static void update(Cipher cipher, byte[] input, byte[] output) {
    try {
      if (input.length % BLOCK != 0
          || cipher.update(input, 0, input.length, output, 0) != input.length) {
        throw new IllegalArgumentException("whole blocks only");
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The JDK's own provider, or the first provider with AES on a Java without it. */
  static Provider provider() {
    Provider sun = Security.getProvider("SunJCE");
    try {
      return sun != null ? sun : Cipher.getInstance("AES/ECB/NoPadding").getProvider();
    } catch (NoSuchAlgorithmException | NoSuchPaddingException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }
}
