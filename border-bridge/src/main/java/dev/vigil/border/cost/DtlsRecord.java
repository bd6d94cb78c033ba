package dev.vigil.border.cost;

import dev.vigil.border.crypto.Ccm;
import dev.vigil.border.wire.WireWriter;

/**
 * An application data record of DTLS 1.2 with AES_128_CCM_8 and without Connection ID (RFC 6347,
 * section 4.1; RFC 6655).
 */
final class DtlsRecord {
  private static final int APPLICATION_DATA = 23;
  private static final int DTLS_1_2 = 0xfefd;

  /** Epoch and sequence number; the explicit part of the nonce repeats them. */
  private static final int NUMBER = 8;

  private static final int HEADER = 1 + 2 + NUMBER + 2;
  private static final int MIC = 8;
  private static final int SALT = 4;

  private DtlsRecord() {}

  /** The first record after a handshake, under an all-zero key. */
  static byte[] seal(byte[] plain) {
    byte[] number = new WireWriter(NUMBER).u16(1).u16(0).u32(1).toBytes();
    byte[] nonce = new WireWriter(SALT + NUMBER).zeros(SALT).bytes(number).toBytes();
    byte[] associated =
        new WireWriter(HEADER)
            .bytes(number)
            .u8(APPLICATION_DATA)
            .u16(DTLS_1_2)
            .u16(plain.length)
            .toBytes();
    byte[] sealed = new Ccm(new byte[16]).seal(nonce, associated, plain, MIC);
    return new WireWriter(HEADER + NUMBER + sealed.length)
        .u8(APPLICATION_DATA)
        .u16(DTLS_1_2)
        .bytes(number)
        .u16(NUMBER + sealed.length)
        .bytes(number)
        .bytes(sealed)
        .toBytes();
  }

  static int aesBlocks(int plain) {
    return AesBlocks.ccm(HEADER, plain);
  }
}
