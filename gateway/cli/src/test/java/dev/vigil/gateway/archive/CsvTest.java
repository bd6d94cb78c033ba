package dev.vigil.gateway.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.archive.ArchivedReading.Fields;
import dev.vigil.gateway.archive.ArchivedReading.Form;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CsvTest {
  private static final String LETTERS = "ab,\"\n\r'=+-@\t ;é€";

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  private static List<List<String>> rows(String csv) throws IOException {
    Csv in = new Csv(new StringReader(csv));
    List<List<String>> rows = new ArrayList<>();
    for (List<String> row = in.row(); row != null; row = in.row()) {
      rows.add(row);
    }
    return rows;
  }

  @Test
  void anyTextIsReadBackAndNeverStartsLikeAFormula() throws IOException {
    Random random = new Random(4180);
    for (int i = 0; i < 5000; i++) {
      String first = text(random);
      String second = text(random);
      List<List<String>> read = rows(Csv.text(first) + "," + Csv.text(second) + "\r\n");
      assertThat(read).hasSize(1);
      assertThat(read.getFirst().stream().map(Csv::textOf)).containsExactly(first, second);
      assertThat(read.getFirst().getFirst()).doesNotStartWith("=").doesNotStartWith("@");
    }
  }

  @Test
  void readingsAreReadBackUnchangedInBothFormats() throws IOException {
    Random random = new Random(8428);
    for (int i = 0; i < 500; i++) {
      List<ResolvedRecord> all = new ArrayList<>();
      for (int j = 0; j <= random.nextInt(3); j++) {
        SenmlValue value =
            random.nextBoolean()
                ? new SenmlValue.Text(text(random))
                : new SenmlValue.Number(
                    random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
        Double sum = random.nextBoolean() ? null : (Double) random.nextDouble();
        all.add(
            new ResolvedRecord(
                "n" + j, "u" + text(random), value, sum, 1.7e9 + i / 3.0, null, false));
      }
      Instant arrived = Instant.ofEpochMilli(1_700_000_000_000L + random.nextInt(100_000));
      Fields fields =
          new Fields(text(random) + "x", text(random), "temp", i, arrived, "delayed", all);
      byte[] jws = "a.b.c".getBytes(StandardCharsets.US_ASCII);
      ArchivedReading reading = new ArchivedReading(fields, Form.JWS, jws, null);

      assertThat(CsvRows.read(rows(CsvRows.write(reading))).fields()).isEqualTo(fields);
      assertThat(JsonLines.read(JsonLines.write(reading)).fields()).isEqualTo(fields);
    }
  }

  @Test
  void anUnclosedQuoteIsRefused() {
    assertThatThrownBy(() -> rows("a,\"b\n")).isInstanceOf(ArchiveException.class);
  }
}
