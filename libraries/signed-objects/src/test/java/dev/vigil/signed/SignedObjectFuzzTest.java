package dev.vigil.signed;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.signed.jose.CompactUpdate;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.signed.senml.SenmlPack;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * For any octets, each parser returns a value that can be written and parsed again, or refuses with
 * one line. The everyday run covers the stored corpus and seeded mutations; {@code JAZZER_FUZZ=1}
 * fuzzes for ten seconds each, {@code ./vigil test --all} for longer.
 */
class SignedObjectFuzzTest {
  private static final byte[] SENML =
      "[{\"n\":\"urn:dev:a\",\"u\":\"Cel\",\"v\":21.5}]".getBytes(StandardCharsets.US_ASCII);

  /** Only refusals may be thrown. */
  private static void refusesInOneLine(Runnable parse) {
    try {
      parse.run();
    } catch (SignedObjectException e) {
      assertThat(e.line()).isNotEmpty().doesNotContain("\n").hasSizeLessThan(200);
    }
  }

  @FuzzTest(maxDuration = "10s")
  void jws(byte[] octets) {
    refusesInOneLine(() -> Jws.parse(octets));
  }

  @FuzzTest(maxDuration = "10s")
  void jwk(byte[] octets) {
    refusesInOneLine(
        () -> {
          Jwk key = Jwk.parse(octets);
          assertThat(Jwk.parse(key.json().getBytes(StandardCharsets.US_ASCII))).isEqualTo(key);
        });
  }

  @FuzzTest(maxDuration = "10s")
  void senmlJson(byte[] octets) {
    refusesInOneLine(
        () -> {
          SenmlPack pack = SenmlPack.readJson(octets);
          assertThat(SenmlPack.readJson(pack.writeJson()).records()).hasSameSizeAs(pack.records());
          assertThat(SenmlPack.readCbor(pack.writeCbor()).records()).hasSameSizeAs(pack.records());
        });
  }

  @FuzzTest(maxDuration = "10s")
  void senmlCbor(byte[] octets) {
    refusesInOneLine(
        () -> {
          SenmlPack pack = SenmlPack.readCbor(octets);
          assertThat(SenmlPack.readCbor(pack.writeCbor()).records()).hasSameSizeAs(pack.records());
        });
  }

  @FuzzTest(maxDuration = "10s")
  void cose(byte[] octets) {
    refusesInOneLine(() -> CoseSign1.parse(octets));
  }

  @FuzzTest(maxDuration = "10s")
  void compactUpdate(byte[] octets) {
    refusesInOneLine(
        () -> {
          CompactUpdate update = CompactUpdate.parse(octets);
          if (!update.encrypted()) {
            Jws built = update.toJws("kid", "temp", 7, ProtectedHeader.ABSENT);
            Jws parsed = Jws.parse(built.octets());
            assertThat(parsed.header()).isEqualTo(built.header());
            assertThat(parsed.payload()).isEqualTo(update.payload());
            assertThat(parsed.signedLength()).isEqualTo(built.signedLength());
          }
        });
  }

  /** Random mutations, so that runs without a fuzzer also try some. */
  @Test
  void parsersSurviveSeededMutationsOfRealObjects() {
    Random random = new Random(8152);
    var signer = new TestSigner();
    byte[] senmlCbor = SenmlPack.readJson(SENML).writeCbor();
    List<byte[]> real =
        List.of(
            signer.jws(signer.header("application/senml+json", "temp", 5, -1), SENML),
            signer.jwk().json().getBytes(StandardCharsets.US_ASCII),
            SENML,
            senmlCbor,
            signer.cose("temp", 5, senmlCbor),
            signer.compact(true, "temp", 5, 3, senmlCbor));
    for (int i = 0; i < 20_000; i++) {
      byte[] octets = real.get(random.nextInt(real.size())).clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
      }
      byte[] mutated = Arrays.copyOf(octets, octets.length - random.nextInt(3));
      jws(mutated);
      jwk(mutated);
      senmlJson(mutated);
      senmlCbor(mutated);
      cose(mutated);
      compactUpdate(mutated);
    }
  }
}
