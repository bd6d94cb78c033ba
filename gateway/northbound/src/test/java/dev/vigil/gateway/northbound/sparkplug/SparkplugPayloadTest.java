package dev.vigil.gateway.northbound.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.northbound.sparkplug.SparkplugMetric.Value;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SparkplugPayloadTest {
  private static final String REBIRTH = SparkplugSession.REBIRTH;

  @Test
  void aPayloadHasTheFieldsOfTheSpecification() {
    SparkplugMetric metric = new SparkplugMetric("t", 2, new Value.Float64(1), "Cel", 5, true);
    assertThat(hex(SparkplugPayload.write(1, 255, List.of(metric))))
        .isEqualTo(
            "0801"
                + "1231"
                + "0a0174"
                + "1802"
                + "200a"
                + "2801"
                + ("4a1d" + "0a07656e67556e6974" + "0a03736571")
                + ("1207" + "080c" + "420343656c")
                + ("1204" + "0808" + "2005")
                + "69000000000000f03f"
                + "18ff01");
  }

  @Test
  void aDeathCertificateHasNoSequenceNumber() {
    SparkplugMetric number = SparkplugMetric.of("bdSeq", 1, new Value.Int64(3));
    assertThat(hex(SparkplugPayload.write(1, SparkplugPayload.NO_SEQ, List.of(number))))
        .isEqualTo("0801" + "120d" + "0a0562645365711801" + "2004" + "5803");
  }

  @Test
  void everyKindOfValueHasItsFieldAndType() {
    assertThat(written(new Value.Bool(true))).endsWith("200b" + "7001");
    assertThat(written(new Value.Text("on"))).endsWith("200c" + "7a026f6e");
    assertThat(written(new Value.Octets(new byte[] {1}))).endsWith("2011" + "82010101");
  }

  @Test
  void aRebirthIsAskedForByATrueMetricOfItsName() throws IOException {
    SparkplugMetric yes = SparkplugMetric.of(REBIRTH, 1, new Value.Bool(true));
    SparkplugMetric no = SparkplugMetric.of(REBIRTH, 1, new Value.Bool(false));
    SparkplugMetric other = SparkplugMetric.of("Node Control/Reboot", 1, new Value.Bool(true));
    assertThat(asked(List.of(other, yes))).isTrue();
    assertThat(asked(List.of(no, other))).isFalse();
    assertThat(asked(List.of())).isFalse();
  }

  @Test
  void malformedPayloadsAreRefused() {
    for (String bad : List.of("12ff", "ff", "120112", "0b")) {
      assertThatThrownBy(() -> SparkplugPayload.isTrue(HexFormat.of().parseHex(bad), REBIRTH))
          .as(bad)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void recordsOfOtherNamesHaveTheirNameAfterThePath() {
    List<SparkplugMetric> metrics =
        SparkplugMetric.of("air", List.of(of("a", 1.0, null), of("b", null, 7.0)), 1);
    assertThat(metrics).extracting(SparkplugMetric::name).containsExactly("air/a", "air/b/sum");
    assertThat(metrics).extracting(SparkplugMetric::timestamp).containsExactly(1500L, 1500L);
    List<SparkplugMetric> one = SparkplugMetric.of("air", List.of(of("urn:dev:1", 1.0, null)), 1);
    assertThat(one).extracting(SparkplugMetric::name).containsExactly("air");
  }

  private static ResolvedRecord of(String name, @Nullable Double number, @Nullable Double sum) {
    SenmlValue value = number == null ? null : new SenmlValue.Number(number);
    return new ResolvedRecord(name, null, value, sum, 1.5, null, false);
  }

  private static boolean asked(List<SparkplugMetric> metrics) throws IOException {
    return SparkplugPayload.isTrue(SparkplugPayload.write(1, 0, metrics), REBIRTH);
  }

  private static String written(Value value) {
    return hex(
        SparkplugPayload.write(
            1, SparkplugPayload.NO_SEQ, List.of(SparkplugMetric.of("x", 1, value))));
  }

  private static String hex(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }
}
