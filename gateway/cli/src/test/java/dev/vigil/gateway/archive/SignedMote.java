package dev.vigil.gateway.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.gateway.archive.ArchivedReading.Fields;
import dev.vigil.gateway.archive.ArchivedReading.Form;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.senml.SenmlPack;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;

/** A mote that signs readings. They get the fields that a gateway adds. */
record SignedMote(LocalKeyPair key) {
  private static final Instant ARRIVED = Instant.parse("2026-11-20T12:00:00.250Z");

  static SignedMote generate() {
    return new SignedMote(LocalKeyPair.generate(new SecureRandom()));
  }

  String jkt() {
    return key.jwk().thumbprint();
  }

  String jws(String res, long seq, String senml) {
    String header =
        "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":\"%s\",\"seq\":%d}"
            .formatted(jkt(), res, seq);
    String signed = base64url(header.getBytes(UTF_8)) + "." + base64url(senml.getBytes(UTF_8));
    return signed + "." + base64url(key.sign(signed.getBytes(UTF_8)));
  }

  ArchivedReading reading(String res, long seq, String senml) {
    return reading(res, res, seq, senml);
  }

  /** A reading that was signed for a resource in another spelling. */
  ArchivedReading reading(String res, String signedRes, long seq, String senml) {
    Fields fields =
        new Fields(
            "mote-1",
            "",
            res,
            seq,
            ARRIVED,
            "",
            SenmlPack.readJson(senml.getBytes(UTF_8)).resolve(ARRIVED.toEpochMilli() / 1000.0));
    return new ArchivedReading(
        fields, Form.JWS, jws(signedRes, seq, senml).getBytes(UTF_8), key.jwk());
  }

  private static String base64url(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
