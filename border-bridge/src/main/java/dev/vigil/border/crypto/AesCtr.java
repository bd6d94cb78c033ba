package dev.vigil.border.crypto;

import dev.vigil.border.wire.WireWriter;

/** AES in counter mode with the counter block of RFC 3686: nonce, IV, block counter from 1. */
public final class AesCtr {
  private static final int NONCE = 4;
  private static final int IV = 8;

  private final Aes aes;

  public AesCtr(byte[] key) {
    aes = new Aes(key);
  }

  /**
   * Encrypts or decrypts.
   *
   * @param nonce 4 octets, part of the key material
   * @param iv 8 octets, never repeated under one key
   */
  public byte[] apply(byte[] nonce, byte[] iv, byte[] input) {
    if (nonce.length != NONCE || iv.length != IV) {
      throw new IllegalArgumentException("a nonce has 4 octets, an IV 8");
    }
    int blocks = (input.length + Aes.BLOCK - 1) / Aes.BLOCK;
    WireWriter counters = new WireWriter(blocks * Aes.BLOCK);
    for (int i = 1; i <= blocks; i++) {
      counters.bytes(nonce).bytes(iv).u32(i);
    }
    byte[] stream = aes.encryptBlocks(counters.toBytes());
    byte[] output = input.clone();
    Aes.xor(stream, 0, output, 0, output.length);
    return output;
  }
}
