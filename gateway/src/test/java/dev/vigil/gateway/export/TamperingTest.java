package dev.vigil.gateway.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.export.Reading.Form;
import dev.vigil.gateway.export.Reading.Told;
import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Pack;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TamperingTest {
  private static final Signatures SIGNATURES = new Signatures(Signatures.Choice.BOUNCY_CASTLE);
  private static final OwnKey KEY = OwnKey.generate(new SecureRandom());
  private static final Instant ARRIVED = Instant.parse("2026-11-20T12:00:00.250Z");

  @TempDir private Path folder;

  /** A reading as the mote signed it and the gateway tells it. */
  private static Reading reading(long seq) {
    byte[] payload =
        "[{\"bn\":\"urn:dev:a:\",\"bt\":1.7e9,\"n\":\"t\",\"u\":\"Cel\",\"v\":%d.5},{\"n\":\"s\",\"vs\":\"=a,\\\"b\"}]"
            .formatted(seq)
            .getBytes(UTF_8);
    String header =
        "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":\"temp\",\"seq\":%d}"
            .formatted(KEY.jwk().thumbprint(), seq);
    String signed = base64url(header.getBytes(UTF_8)) + "." + base64url(payload);
    String jws = signed + "." + base64url(KEY.sign(signed.getBytes(UTF_8)));
    List<Measurement> measurements =
        Pack.readJson(payload).resolve(ARRIVED.toEpochMilli() / 1000.0);
    Told told = new Told("mote-1", "", "temp", seq, ARRIVED, "", measurements);
    return new Reading(told, Form.JWS, jws.getBytes(UTF_8), KEY.jwk());
  }

  private static String base64url(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }

  /** What a reading says of what is signed; the rest is the gateway's word. */
  private static String signedPart(Told told) {
    return told.res() + " " + told.seq() + " " + JsonLines.senml(told.measurements());
  }

  @ParameterizedTest
  @EnumSource
  void whateverOctetsChangeNothingSignedIsToldOtherwiseUnnoticed(ExportController.Format format)
      throws IOException {
    Map<Long, String> original = new HashMap<>();
    StringBuilder text =
        new StringBuilder(format == ExportController.Format.CSV ? CsvRows.HEADER + "\r\n" : "");
    for (long seq = 2; seq < 6; seq++) {
      Reading one = reading(seq);
      original.put(seq, signedPart(Objects.requireNonNull(one.told())));
      text.append(format.write(one));
    }
    byte[] archive = text.toString().getBytes(UTF_8);
    assertThat(judged(archive, original)).isEmpty();

    Random random = new Random(9052);
    int noticed = 0;
    for (int i = 0; i < 1500; i++) {
      byte[] changed = archive.clone();
      for (int j = random.nextInt(3); j >= 0; j--) {
        int at = random.nextInt(changed.length);
        // Often a digit for a digit, which is what a forger would do.
        changed[at] =
            Character.isDigit(changed[at])
                ? (byte) ('0' + random.nextInt(10))
                : (byte) random.nextInt(32, 127);
      }
      noticed += judged(changed, original).isEmpty() ? 0 : 1;
    }
    assertThat(noticed).isGreaterThan(1000);
  }

  /** The faults; where there are none, everything told must be what was signed. */
  private List<String> judged(byte[] archive, Map<Long, String> original) throws IOException {
    Path file = Files.write(folder.resolve("archive"), archive);
    String jkt = KEY.jwk().thumbprint();
    Examiner examiner = new Examiner(SIGNATURES, Map.of(), jkt::equals);
    List<Told> told = new ArrayList<>();
    try {
      ArchiveReader.read(
          file,
          new ArchiveReader.Each() {
            @Override
            public void reading(int line, Reading reading) {
              int before = examiner.faults().size();
              examiner.reading(line, reading);
              Told said = reading.told();
              if (examiner.faults().size() == before && said != null) {
                told.add(said);
              }
            }

            @Override
            public void malformed(int line, String why) {
              examiner.malformed(line, why);
            }
          });
    } catch (MalformedInputException e) {
      return List.of("not text");
    }
    for (Told one : told) {
      assertThat(original).containsEntry(one.seq(), signedPart(one));
    }
    assertThat(examiner.faults()).allMatch(line -> !line.contains("\n"));
    return examiner.faults();
  }
}
