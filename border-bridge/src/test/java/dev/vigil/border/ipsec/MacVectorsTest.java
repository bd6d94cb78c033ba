package dev.vigil.border.ipsec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MacVectorsTest {
  @ParameterizedTest
  @CsvSource({
    // RFC 2202, section 3, cases 1 and 3, cut to 96 bits
    "HMAC_SHA1_96, 0b, 4869205468657265, b617318655057264e28bc0b6",
    "HMAC_SHA1_96, aa, dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
        + "dddddddddddddddddddddddddddddd, 125d7342b9ac11cd91a39af4",
    // RFC 4868, section 2.7.2.1, AUTH256-1
    "HMAC_SHA256_128, 0b, 4869205468657265, 198a607eb44bfbc69903a0f1cf2bbdc5"
  })
  void hmacIsThatOfTheRfcs(Integrity integrity, String keyOctet, String message, String icv)
      throws WireException {
    byte[] key = Hex.parse(keyOctet.repeat(integrity.keyLength()));
    Mac mac = new Mac(integrity, key);
    byte[] octets = Hex.parse(message);
    assertThat(Hex.format(mac.icv(octets))).isEqualTo(icv);
    assertThat(mac.verifies(octets, Hex.parse(icv))).isTrue();
    octets[0] ^= 1;
    assertThat(mac.verifies(octets, Hex.parse(icv))).isFalse();
  }
}
