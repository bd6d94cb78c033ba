package dev.vigil.border.crypto;

import dev.vigil.border.wire.WireWriter;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;

/**
 * CCM (RFC 3610) and CCM* (802.15.4-2006, annex B): counter mode with CBC-MAC. CCM* also allows an
 * empty MIC. Nonce and length field together have 15 octets.
 */
public final class Ccm {
  private static final int BLOCK = Aes.BLOCK;
  private static final int HAS_ASSOCIATED_DATA = 0x40;

  /**
   * The bound of the two-octet length encoding (RFC 3610 section 2.2); no frame or packet is
   * longer.
   */
  private static final int MAX_ASSOCIATED_DATA = 0xfeff;

  private final Aes aes;

  public Ccm(byte[] key) {
    aes = new Aes(key);
  }

  /**
   * Encrypts and authenticates.
   *
   * @param nonce 7 to 13 octets, never used before with this key
   * @param associated authenticated, not encrypted
   * @param micLength 0, 4, 6, ... 16 octets
   * @return ciphertext, then MIC
   */
  public byte[] seal(byte[] nonce, byte[] associated, byte[] plain, int micLength) {
    byte[] mic = mic(nonce, associated, plain, micLength);
    byte[] stream = keyStream(nonce, plain.length);
    byte[] out = new WireWriter(plain.length + micLength).bytes(plain).bytes(mic).toBytes();
    Aes.xor(stream, BLOCK, out, 0, plain.length);
    Aes.xor(stream, 0, out, plain.length, micLength);
    return out;
  }

  /**
   * Decrypts and checks.
   *
   * @param sealed ciphertext and a MIC of {@code micLength} octets, compared in constant time
   * @return the plaintext; empty if the MIC is wrong or incomplete
   */
  public Optional<byte[]> open(byte[] nonce, byte[] associated, byte[] sealed, int micLength) {
    int length = sealed.length - micLength;
    if (length < 0) {
      return Optional.empty();
    }
    byte[] stream = keyStream(nonce, length);
    byte[] plain = Arrays.copyOf(sealed, length);
    Aes.xor(stream, BLOCK, plain, 0, length);
    byte[] received = Arrays.copyOfRange(sealed, length, sealed.length);
    Aes.xor(stream, 0, received, 0, micLength);
    byte[] expected = mic(nonce, associated, plain, micLength);
    if (!MessageDigest.isEqual(expected, received)) {
      Arrays.fill(plain, (byte) 0);
      return Optional.empty();
    }
    return Optional.of(plain);
  }

  /**
   * The encrypted counter blocks A_0, A_1, ...: the first is for the MIC, the others are for the
   * text.
   */
  private byte[] keyStream(byte[] nonce, int length) {
    int blocks = 1 + (length + BLOCK - 1) / BLOCK;
    int lengthOctets = lengthOctets(nonce);
    WireWriter counters = new WireWriter(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      counters.u8(lengthOctets - 1).bytes(nonce);
      number(counters, i, lengthOctets);
    }
    return aes.encryptBlocks(counters.toBytes());
  }

  private byte[] mic(byte[] nonce, byte[] associated, byte[] plain, int micLength) {
    if (micLength == 0) {
      return new byte[0];
    }
    if (associated.length > MAX_ASSOCIATED_DATA) {
      throw new IllegalArgumentException("too much associated data");
    }
    int lengthOctets = lengthOctets(nonce);
    boolean withAssociated = associated.length > 0;
    int flags =
        (withAssociated ? HAS_ASSOCIATED_DATA : 0) | (micLength - 2) / 2 << 3 | lengthOctets - 1;
    WireWriter blocks =
        new WireWriter(padded(2 + associated.length) + BLOCK + padded(plain.length));
    blocks.u8(flags).bytes(nonce);
    number(blocks, plain.length, lengthOctets);
    if (withAssociated) {
      blocks.u16(associated.length).bytes(associated);
      pad(blocks);
    }
    blocks.bytes(plain);
    pad(blocks);
    return Arrays.copyOf(aes.cbcMac(blocks.toBytes()), micLength);
  }

  private static int lengthOctets(byte[] nonce) {
    if (nonce.length < 7 || nonce.length > 13) {
      throw new IllegalArgumentException("a nonce has 7 to 13 octets");
    }
    return BLOCK - 1 - nonce.length;
  }

  private static void number(WireWriter out, int value, int octets) {
    for (int shift = 8 * (octets - 1); shift >= 0; shift -= 8) {
      out.u8(shift < Integer.SIZE ? value >>> shift : 0);
    }
  }

  private static void pad(WireWriter out) {
    out.zeros(padded(out.size()) - out.size());
  }

  private static int padded(int length) {
    return (length + BLOCK - 1) / BLOCK * BLOCK;
  }
}
