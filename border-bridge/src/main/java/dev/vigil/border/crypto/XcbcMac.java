package dev.vigil.border.crypto;

import dev.vigil.border.wire.WireWriter;
import java.util.Arrays;

/** AES-XCBC-MAC (RFC 3566): a CBC-MAC that is secure for messages of any length. */
public final class XcbcMac {
  private static final int BLOCK = Aes.BLOCK;
  private static final int PAD = 0x80;

  private final Aes aes;
  private final byte[] wholeLast;
  private final byte[] paddedLast;

  /**
   * @param key 16 octets
   */
  public XcbcMac(byte[] key) {
    if (key.length != BLOCK) {
      throw new IllegalArgumentException("an XCBC key has 16 octets");
    }
    Aes root = new Aes(key);
    aes = new Aes(root.encryptBlocks(filled(1)));
    wholeLast = root.encryptBlocks(filled(2));
    paddedLast = root.encryptBlocks(filled(3));
  }

  /** All sixteen octets of the MAC. By RFC 3566 only the first twelve are sent. */
  public byte[] mac(byte[] message) {
    boolean whole = message.length > 0 && message.length % BLOCK == 0;
    WireWriter blocks = new WireWriter(message.length + BLOCK).bytes(message);
    if (!whole) {
      blocks.u8(PAD).zeros(-blocks.size() & BLOCK - 1);
    }
    byte[] input = Arrays.copyOf(blocks.toBytes(), blocks.size());
    byte[] last = whole ? wholeLast : paddedLast;
    Aes.xor(last, 0, input, input.length - BLOCK, BLOCK);
    return aes.cbcMac(input);
  }

  private static byte[] filled(int value) {
    byte[] block = new byte[BLOCK];
    Arrays.fill(block, (byte) value);
    return block;
  }
}
