package dev.vigil.gateway.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.archive.ArchivedReading.Fields;
import dev.vigil.signed.jose.SignatureVerifier;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TamperingTest {
  private static final SignatureVerifier SIGNATURES =
      new SignatureVerifier(SignatureVerifier.Choice.AUTO);
  private static final SignedMote MOTE = SignedMote.generate();

  private static final int CHANGES = "1".equals(System.getenv("VIGIL_TEST_ALL")) ? 500 : 100;

  /** Fields that the signature does not cover may change. */
  private static final int LEAST_DETECTED = CHANGES * 9 / 10;

  @TempDir private Path folder;

  private static ArchivedReading reading(long seq) {
    return reading(seq, "temp");
  }

  private static ArchivedReading reading(long seq, String res) {
    String senml =
        "[{\"bn\":\"urn:dev:a:\",\"bt\":1.7e9,\"n\":\"t\",\"u\":\"Cel\",\"v\":%d.5},{\"n\":\"s\",\"vs\":\"=a,\\\"b\"}]"
            .formatted(seq);
    return MOTE.reading("temp", res, seq, senml);
  }

  /** The fields that the signature covers. */
  private static String signedPart(Fields fields) {
    return fields.res() + " " + fields.seq() + " " + JsonLines.senml(fields.measurements());
  }

  @ParameterizedTest
  @EnumSource
  void noChangedOctetAltersASignedFieldUndetected(ArchiveFormat format) throws IOException {
    Map<Long, String> original = new HashMap<>();
    StringBuilder text = new StringBuilder(format.start());
    for (long seq = 2; seq < 6; seq++) {
      ArchivedReading one = reading(seq);
      original.put(seq, signedPart(Objects.requireNonNull(one.fields())));
      text.append(format.write(one));
    }
    byte[] archive = text.toString().getBytes(UTF_8);
    assertThat(faults(archive, original)).isEmpty();

    Random random = new Random(9052);
    int detected = 0;
    for (int i = 0; i < CHANGES; i++) {
      byte[] changed = archive.clone();
      for (int j = random.nextInt(3); j >= 0; j--) {
        int at = random.nextInt(changed.length);
        // A digit becomes another digit, because a forger would do the same.
        changed[at] =
            Character.isDigit(changed[at])
                ? (byte) ('0' + random.nextInt(10))
                : (byte) random.nextInt(32, 127);
      }
      detected += faults(changed, original).isEmpty() ? 0 : 1;
    }
    assertThat(detected).isGreaterThan(LEAST_DETECTED);
  }

  @Test
  void aPathThatWasSignedInAnotherSpellingHolds() {
    ArchiveVerifier verifier = new ArchiveVerifier(SIGNATURES, Map.of(), MOTE.jkt()::equals);
    verifier.reading(1, reading(2, "%74emp"));
    assertThat(verifier.faults()).isEmpty();
    verifier.reading(2, reading(3, "%75emp"));
    assertThat(verifier.faults()).singleElement().asString().contains("resource %75emp");
  }

  @Test
  void aKeyWithALineBreakInItsNameIsReportedInOneLine() {
    ArchivedReading signed = reading(2);
    String[] parts = new String(signed.signed(), UTF_8).split("\\.", 2);
    String header = new String(Base64.getUrlDecoder().decode(parts[0]), UTF_8);
    String broken = header.replace("\"kid\":\"", "\"kid\":\"a\\nall valid");
    String jws = Base64.getUrlEncoder().withoutPadding().encodeToString(broken.getBytes(UTF_8));
    ArchiveVerifier verifier = new ArchiveVerifier(SIGNATURES, Map.of(), MOTE.jkt()::equals);
    verifier.reading(
        1,
        new ArchivedReading(
            signed.fields(), signed.form(), (jws + "." + parts[1]).getBytes(UTF_8), signed.key()));
    assertThat(verifier.faults()).singleElement().asString().contains("signed by key a?all valid");
  }

  @Test
  void aFaultOfManyRowsIsReportedOnce() {
    ArchiveVerifier verifier = new ArchiveVerifier(SIGNATURES, Map.of(), "another key"::equals);
    for (int line = 1; line <= 50; line++) {
      verifier.reading(line, reading(line + 1));
    }
    assertThat(verifier.faultCount()).isEqualTo(50);
    assertThat(verifier.faults())
        .singleElement()
        .asString()
        .startsWith("50 times, first on line 1 (mote-1/temp, number 2): signed by key ");
  }

  @Test
  void numbersThatAreMissingAreNamedByEndpoint() {
    ArchiveVerifier verifier = new ArchiveVerifier(SIGNATURES, Map.of(), MOTE.jkt()::equals);
    for (long seq : new long[] {2, 3, 5, 9}) {
      verifier.reading(1, reading(seq));
    }
    assertThat(verifier.faults()).isEmpty();
    assertThat(verifier.gaps())
        .containsExactly("mote-1: 4 numbers between 2 and 9 are missing: 4, 6-8");
  }

  /** Returns the faults; requires the original signed fields in every reading without a fault. */
  private List<String> faults(byte[] archive, Map<Long, String> original) throws IOException {
    Path file = Files.write(folder.resolve("archive"), archive);
    String jkt = MOTE.jkt();
    ArchiveVerifier verifier = new ArchiveVerifier(SIGNATURES, Map.of(), jkt::equals);
    List<Fields> accepted = new ArrayList<>();
    try {
      ArchiveFileReader.read(
          file,
          new ArchiveFileReader.Visitor() {
            @Override
            public void reading(int line, ArchivedReading reading) {
              int before = verifier.faultCount();
              verifier.reading(line, reading);
              Fields fields = reading.fields();
              if (verifier.faultCount() == before && fields != null) {
                accepted.add(fields);
              }
            }

            @Override
            public void malformed(int line, String fault) {
              verifier.malformed(line, fault);
            }
          });
    } catch (MalformedInputException e) {
      return List.of("not text");
    }
    for (Fields fields : accepted) {
      assertThat(original).containsEntry(fields.seq(), signedPart(fields));
    }
    assertThat(verifier.faults()).allMatch(line -> !line.contains("\n"));
    return verifier.faults();
  }
}
