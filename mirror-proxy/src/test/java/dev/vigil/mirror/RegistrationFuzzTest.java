package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.registration.RegistrationReader;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.TestSigner;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Any octets are parsed as a registration or refused with a one-line diagnostic. The everyday run
 * uses the corpus in the test resources and seeded mutations; {@code JAZZER_FUZZ=1} fuzzes for ten
 * seconds.
 */
class RegistrationFuzzTest {
  private static final RegistrationReader READER =
      new RegistrationReader(
          Map.of("", Domain.of("", TrustPolicy.FIRST_USE)),
          (caller, action, domain) -> new Access.Allowed());

  @FuzzTest(maxDuration = "10s")
  void registration(byte[] octets) {
    for (var format : List.of(ContentFormat.JOSE, ContentFormat.MULTIPART)) {
      try {
        READER.read(Requests.post(format, octets), 0);
      } catch (RequestRefused e) {
        requireOneLine(e.diagnostic());
      } catch (SignedObjectException e) {
        requireOneLine(e.line());
      }
    }
  }

  private static void requireOneLine(String diagnostic) {
    assertThat(diagnostic).isNotEmpty().doesNotContain("\n").hasSizeLessThan(200);
  }

  @Test
  void mutatedRegistrationsAreReadOrRefused() {
    Random random = new Random(8152);
    var signer = new TestSigner();
    List<byte[]> real =
        List.of(
            MirrorFixture.registration(signer, "mote-1", 5, ",\"wake\":60"),
            MirrorFixture.plain(signer),
            MirrorFixture.update(signer, "temp", 5));
    for (int i = 0; i < 20_000; i++) {
      byte[] octets = real.get(random.nextInt(real.size())).clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
      }
      registration(Arrays.copyOf(octets, octets.length - random.nextInt(3)));
    }
  }
}
