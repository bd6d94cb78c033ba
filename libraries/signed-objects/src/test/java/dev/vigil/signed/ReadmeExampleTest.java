package dev.vigil.signed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of the library's README, as a client runs it. */
class ReadmeExampleTest {
  private static final byte[] SENML =
      "[{\"n\":\"urn:dev:a:temp\",\"u\":\"Cel\",\"v\":21.5}]".getBytes(StandardCharsets.US_ASCII);

  private final TestSigner mote = new TestSigner();
  private final byte[] pinned = mote.jwk().json().getBytes(StandardCharsets.US_ASCII);

  private static boolean authentic(byte[] pinned, byte[] octets, long highestSeen) {
    Jwk key = Jwk.parse(pinned);
    Jws jws = Jws.parse(octets);
    return new SignatureVerifier(SignatureVerifier.Choice.AUTO).verify(key, jws)
        && jws.header().typ() == null
        && "temp".equals(jws.header().res())
        && jws.header().seq() >= highestSeen;
  }

  private byte[] signed(String res, long seq) {
    return mote.jws(mote.header("application/senml+json", res, seq, -1), SENML);
  }

  @Test
  void acceptsTheEndpointsReading() {
    byte[] octets = signed("temp", 7);
    assertThat(authentic(pinned, octets, 7)).isTrue();
    List<ResolvedRecord> readings = SenmlPack.readJson(Jws.parse(octets).payload()).resolve(1000);
    assertThat(readings)
        .extracting(ResolvedRecord::value)
        .containsExactly(new SenmlValue.Number(21.5));
  }

  @Test
  void refusesOldValuesOtherResourcesAndOtherKeys() {
    assertThat(authentic(pinned, signed("temp", 6), 7)).isFalse();
    assertThat(authentic(pinned, signed("hum", 7), 7)).isFalse();
    byte[] other = new TestSigner().jwk().json().getBytes(StandardCharsets.US_ASCII);
    assertThat(authentic(other, signed("temp", 7), 7)).isFalse();
  }

  @Test
  void refusesAnotherTypeOfObject() {
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"kid\":\"%s\",\"res\":\"temp\",\"seq\":7}"
            .formatted(mote.jkt());
    assertThat(authentic(pinned, mote.jws(header, SENML), 7)).isFalse();
  }
}
