package dev.vigil.signed.jose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;
import org.junit.jupiter.api.Test;

class EcdsaDerTest {
  @Test
  void encodesAnyTwoNumbersAsBouncyCastleDoes() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] signature = new byte[i % 2 == 0 ? 64 : 96];
      random.nextBytes(signature);
      Arrays.fill(signature, 0, random.nextInt(4), (byte) 0);
      Arrays.fill(
          signature, signature.length / 2, signature.length / 2 + random.nextInt(4), (byte) 0);
      assertThat(EcdsaDer.of(signature)).isEqualTo(byBouncyCastle(signature));
    }
  }

  @Test
  void encodesZeroAsOneOctet() throws IOException {
    byte[] signature = new byte[64];
    assertThat(EcdsaDer.of(signature)).isEqualTo(byBouncyCastle(signature)).hasSize(8);
  }

  private static byte[] byBouncyCastle(byte[] signature) throws IOException {
    int half = signature.length / 2;
    return new DERSequence(
            new ASN1Integer[] {
              new ASN1Integer(new BigInteger(1, Arrays.copyOf(signature, half))),
              new ASN1Integer(
                  new BigInteger(1, Arrays.copyOfRange(signature, half, signature.length)))
            })
        .getEncoded();
  }
}
