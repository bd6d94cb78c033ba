package dev.vigil.border.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The RFCs' own vectors. */
class CryptoVectorsTest {
  private static final byte[] COUNTING = counting(0, 16);

  @ParameterizedTest
  @CsvSource({
    // RFC 3566, section 4.6: message length (octets 00, 01, ...), MAC
    "0, 75f0251d528ac01c4573dfd584d79f29",
    "3, 5b376580ae2f19afe7219ceef172756f",
    "16, d2a246fa349b68a79998a4394ff7a263",
    "20, 47f51b4564966215b8985c63055ed308",
    "32, f54f0ec8d2b9f3d36807734bd5283fd4",
    "34, becbb3bccdb518a30677d5481fb6b4d8"
  })
  void xcbcIsThatOfRfc3566(int length, String mac) {
    XcbcMac xcbc = new XcbcMac(COUNTING);
    assertThat(Hex.format(xcbc.mac(counting(0, length)))).isEqualTo(mac);
    assertThat(Hex.format(xcbc.mac(counting(0, length)))).as("again").isEqualTo(mac);
  }

  @Test
  void xcbcOfAThousandZeros() {
    assertThat(Hex.format(new XcbcMac(COUNTING).mac(new byte[1000])))
        .isEqualTo("f0dafee895db30253761103b5d84528f");
  }

  @ParameterizedTest
  @CsvSource({
    // RFC 3686, section 6, vectors 1 and 2: key, nonce, IV, plaintext, ciphertext
    "ae6852f8121067cc4bf7a5765577f39e, 00000030, 0000000000000000,"
        + "53696e676c6520626c6f636b206d7367, e4095d4fb7a7b3792d6175a3261311b8",
    "7e24067817fae0d743d6ce1f32539163, 006cb6db, c0543b59da48d90b,"
        + "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f,"
        + "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28"
  })
  void counterModeMatchesRfc3686(String key, String nonce, String iv, String plain, String cipher)
      throws WireException {
    AesCtr ctr = new AesCtr(Hex.parse(key));
    byte[] sealed = ctr.apply(Hex.parse(nonce), Hex.parse(iv), Hex.parse(plain));
    assertThat(Hex.format(sealed)).isEqualTo(cipher);
    assertThat(ctr.apply(Hex.parse(nonce), Hex.parse(iv), sealed)).isEqualTo(Hex.parse(plain));
  }

  @Test
  void cipherBlockChainingMatchesRfc3602() throws WireException {
    // Section 4, case 1
    AesCbc cbc = new AesCbc(Hex.parse("06a9214036b8a15b512e03d534120006"));
    byte[] iv = Hex.parse("3dafba429d9eb430b422da802c9fac41");
    byte[] plain = Hex.parse("53696e676c6520626c6f636b206d7367");
    byte[] sealed = Hex.parse("e353779c1079aeb82708942dbe77181a");
    assertThat(cbc.encrypt(iv, plain)).isEqualTo(sealed);
    assertThat(cbc.decrypt(iv, sealed)).isEqualTo(plain);
  }

  @Test
  void ccmIsThatOfRfc3610() throws WireException {
    // Section 8, packet vector 1
    Ccm ccm = new Ccm(Hex.parse("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"));
    byte[] nonce = Hex.parse("00000003020100a0a1a2a3a4a5");
    byte[] sealed =
        Hex.parse("588c979a61c663d2f066d0c2c0f989806d5f6b61dac384" + "17e8d12cfdf926e0");
    assertThat(ccm.seal(nonce, counting(0, 8), counting(8, 23), 8)).isEqualTo(sealed);
    assertThat(ccm.open(nonce, counting(0, 8), sealed, 8)).contains(counting(8, 23));
    sealed[30] ^= 1;
    assertThat(ccm.open(nonce, counting(0, 8), sealed, 8)).isEmpty();
    assertThat(ccm.open(nonce, counting(0, 8), new byte[7], 8)).isEmpty();
  }

  private static byte[] counting(int from, int length) {
    byte[] octets = new byte[length];
    for (int i = 0; i < length; i++) {
      octets[i] = (byte) (from + i);
    }
    return octets;
  }
}
