package dev.vigil.gateway.archive;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Verification of changed archives. test_archive.py verifies the archive of a running gateway with
 * a real process.
 */
class VerifyArchiveTest {
  private static final SignedMote OLD = SignedMote.generate();

  /** The same mote after it changed its key. */
  private static final SignedMote NEW = SignedMote.generate();

  private static final String TEXT = "=HYPERLINK(\\\"http://x\\\"),\\n\\\"quoted\\\"";
  private static final ArchivedReading PACK =
      OLD.reading(
          "temp",
          2,
          "[{\"bn\":\"urn:dev:x:\",\"bt\":1.7e9,\"bu\":\"Cel\",\"n\":\"a\",\"v\":1.5},"
              + "{\"n\":\"b\",\"u\":\"%\",\"v\":-2,\"t\":-30}]");
  private static final List<ArchivedReading> LOAD =
      List.of(
          OLD.reading("load", 5, "[{\"n\":\"s\",\"vs\":\"" + TEXT + "\"}]"),
          OLD.reading("load", 6, "[{\"n\":\"d\",\"vd\":\"aGkgCg\"},{\"n\":\"e\",\"vb\":true}]"));
  private static final List<ArchivedReading> TEMP = List.of(PACK, celsius(OLD, 3), celsius(NEW, 8));

  @TempDir private Path folder = Path.of("");

  private static ArchivedReading celsius(SignedMote mote, long seq) {
    return mote.reading("temp", seq, "[{\"n\":\"urn:dev:x:t\",\"u\":\"Cel\",\"v\":21.5}]");
  }

  /** The readings of resource load, followed by these. */
  private static String archive(ArchiveFormat format, List<ArchivedReading> temp) {
    return Stream.concat(LOAD.stream(), temp.stream())
        .map(format::write)
        .collect(Collectors.joining("", format.start(), ""));
  }

  private static String archive(ArchiveFormat format) {
    return archive(format, TEMP);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "archive", ""), text);
  }

  private Verdict verify(String text, String... options) throws IOException {
    return Verdict.on(file(text), options);
  }

  private static String replaced(String text, String old, String replacement) {
    assertThat(text).contains(old);
    int at = text.indexOf(old);
    return text.substring(0, at) + replacement + text.substring(at + old.length());
  }

  @ParameterizedTest
  @EnumSource
  void eachChangedFieldIsOneFault(ArchiveFormat format) throws IOException {
    String text = archive(format);
    assertThat(verify(text).said()).startsWith("5 readings checked, all valid\n");
    Map<String, String> changes =
        Map.of(
            "1.5", "2.5",
            "aGkgCg", "aGkgCw",
            "=HYPE", "=PLAIN",
            "%", "K",
            "urn:dev:x:b", "urn:dev:x:c",
            "1699999970", "1700000000");
    for (Map.Entry<String, String> change : changes.entrySet()) {
      Verdict verdict = verify(replaced(text, change.getKey(), change.getValue()));
      assertThat(verdict.code()).as(change.getKey()).isEqualTo(1);
      assertThat(verdict.said())
          .startsWith("5 readings checked, 1 fault\n")
          .containsOnlyOnce("line ")
          .containsOnlyOnce("the archive has");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aChangedResourceOrNumberIsAFault(ArchiveFormat format) throws IOException {
    String text = archive(format);
    boolean json = format == ArchiveFormat.JSONL;
    Verdict resource =
        verify(
            json
                ? replaced(text, "\"res\":\"temp\",\"seq\":8", "\"res\":\"load\",\"seq\":8")
                : replaced(text, ",temp,8,", ",load,8,"));
    assertThat(resource.code()).isEqualTo(1);
    assertThat(resource.said()).contains("1 fault\n").contains("signed for resource temp");
    Verdict number =
        verify(
            json
                ? replaced(text, "\"seq\":3", "\"seq\":4")
                : replaced(text, ",temp,3,", ",temp,4,"));
    assertThat(number.code()).isEqualTo(1);
    assertThat(number.said()).contains("1 fault\n").contains("signed with number 3");
  }

  @ParameterizedTest
  @EnumSource
  void aChangedSignatureOrKeyIsAFault(ArchiveFormat format) throws IOException {
    String text = archive(format);
    String jws = new String(TEMP.getLast().signed(), US_ASCII);
    int at = jws.length() - 10;
    String flipped =
        jws.substring(0, at) + (jws.charAt(at) == 'A' ? 'B' : 'A') + jws.substring(at + 1);
    Verdict forged = verify(replaced(text, jws, flipped));
    assertThat(forged.code()).isEqualTo(1);
    assertThat(forged.said()).contains("the signature is invalid").contains("1 fault\n");

    String key = NEW.key().jwk().json();
    String other = SignedMote.generate().key().jwk().json();
    boolean json = format == ArchiveFormat.JSONL;
    Verdict swapped =
        verify(replaced(text, json ? key : Csv.quoted(key), json ? other : Csv.quoted(other)));
    assertThat(swapped.code()).isEqualTo(1);
    assertThat(swapped.said()).contains("but the archive has key");
  }

  @ParameterizedTest
  @EnumSource
  void onlyGivenKeysAreAccepted(ArchiveFormat format) throws IOException {
    String text = archive(format);
    Verdict both = verify(text, "--key", NEW.jkt(), "--key", OLD.jkt());
    assertThat(both.code()).isZero();
    assertThat(verify(text, "--key", inGroups(NEW.jkt()), "--key", OLD.jkt()).code()).isZero();
    Verdict half = verify(text, "--key", NEW.jkt().substring(1));
    assertThat(half.code()).isEqualTo(2);
    assertThat(half.said()).contains("is not the 43 characters of a thumbprint");
    assertThat(verify(text, "--key", "-h" + NEW.jkt().substring(2)).said())
        .as("a thumbprint may begin like an option")
        .contains("which is not one of the given keys");
    Verdict one = verify(text, "--key", NEW.jkt());
    assertThat(one.code()).isEqualTo(1);
    assertThat(one.said())
        .contains("key " + OLD.jkt() + ", which is not one of the given keys")
        .contains("4 times, first on line ");
    Verdict given = verify(text, "--keys", keys(OLD, NEW));
    assertThat(given.code()).isZero();
    assertThat(given.said()).doesNotContain("the keys come from");
    assertThat(verify(text, "--keys", keys(SignedMote.generate())).code()).isEqualTo(1);
  }

  /** As a label shows it. */
  private static String inGroups(String jkt) {
    return jkt.replaceAll("(.{4})", "$1 ");
  }

  /** A file with a JWK set. Members that say nothing about the key are ignored. */
  private String keys(SignedMote... motes) throws IOException {
    String set =
        Stream.of(motes)
            .map(mote -> replaced(mote.key().jwk().json(), "{", "{\"use\":\"sig\","))
            .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    return file(set).toString();
  }

  @ParameterizedTest
  @EnumSource
  void reorderedAndRepeatedReadingsAreFaults(ArchiveFormat format) throws IOException {
    Verdict reordered = verify(archive(format, List.of(TEMP.get(2), TEMP.get(0), TEMP.get(1))));
    assertThat(reordered.code()).isEqualTo(1);
    assertThat(reordered.said()).contains("rows were reordered");
    List<ArchivedReading> twice = new ArrayList<>(TEMP);
    twice.add(TEMP.getLast());
    Verdict repeated = verify(archive(format, twice));
    assertThat(repeated.code()).isEqualTo(1);
    assertThat(repeated.said()).contains("occurs twice");
  }

  @ParameterizedTest
  @EnumSource
  void missingNumbersAreNamedWithoutBeingAFault(ArchiveFormat format) throws IOException {
    Verdict missing = verify(archive(format, List.of(TEMP.get(0), TEMP.get(2))));
    assertThat(missing.code()).as("others may have taken the missing numbers").isZero();
    assertThat(missing.lines()).contains("mote-1: 3 numbers between 2 and 8 are missing: 3-4, 7");
  }

  @Test
  void aMissingRowOfAPackIsAFault() throws IOException {
    String text = archive(ArchiveFormat.CSV);
    String rows = ArchiveFormat.CSV.write(PACK);
    Verdict torn = verify(replaced(text, rows, rows.substring(rows.indexOf("\r\n") + 2)));
    assertThat(torn.code()).isEqualTo(1);
    assertThat(torn.said()).contains("belongs");
  }

  @Test
  void aCellThatIsNoValueOfItsTypeIsAFault() throws IOException {
    ArchivedReading shut = OLD.reading("door", 9, "[{\"n\":\"shut\",\"vb\":false}]");
    ArchivedReading energy = OLD.reading("meter", 10, "[{\"n\":\"energy\",\"u\":\"J\",\"s\":7}]");
    String text = archive(ArchiveFormat.CSV, List.of(shut, energy));
    assertThat(verify(text).code()).isZero();
    for (String cell : List.of("TRUE", "1", "")) {
      Verdict verdict = verify(replaced(text, ",bool,false,", ",bool," + cell + ","));
      assertThat(verdict.code()).isEqualTo(1);
      assertThat(verdict.said()).contains("\"" + cell + "\" is neither true nor false");
    }
    Verdict added = verify(replaced(text, ",J,,,7,", ",J,,5,7,"));
    assertThat(added.code()).isEqualTo(1);
    assertThat(added.said()).contains("\"5\" is a value without a type");
  }

  @Test
  void bareJwsAreVerifiedWithKeysFromElsewhere() throws IOException {
    List<String> jws = TEMP.stream().map(one -> new String(one.signed(), US_ASCII)).toList();
    String lines = String.join("\n", jws) + "\n";
    String list = "[\"" + String.join("\",\"", jws) + "\"]";
    for (String text : List.of(lines, list)) {
      assertThat(verify(text).code()).as("no key is known").isEqualTo(1);
      Verdict verdict = verify(text, "--keys", keys(OLD, NEW));
      assertThat(verdict.code()).isZero();
      assertThat(verdict.said()).contains("temp: 3 readings");
    }
  }

  @Test
  void aFileThatIsNoArchiveIsDistinguishedFromAnInvalidOne() throws IOException {
    Path text = file("hello\n");
    Path binary = Files.write(folder.resolve("binary"), new byte[] {-1, -2, 0});
    assertThat(Verdict.on(folder.resolve("none")).code()).isEqualTo(2);
    assertThat(verify("").code()).isEqualTo(2);
    assertThat(Verdict.on(binary).code()).isEqualTo(2);
    assertThat(Verdict.on(text, "--keys", text.toString()).code()).isEqualTo(2);
    assertThat(Verdict.on(text).code()).isEqualTo(1);
  }

  @Test
  void noArchiveControlsTheTerminal() throws IOException {
    Verdict verdict =
        verify(
            "{\"ep\":\"\\u001b[31m\",\"res\":\"a\",\"seq\":1,\"arrived\":\"2026-11-20T12:00:00Z\","
                + "\"senml\":[{\"n\":\"a\",\"v\":1}],\"jws\":\"a.b.c\"}\n");
    assertThat(verdict.code()).isEqualTo(1);
    assertThat(verdict.said()).contains("(?[31m/a, number 1)");
  }
}
