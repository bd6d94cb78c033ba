package dev.vigil.signed.senml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.cbor.CborWriter;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.cbor.CBORMapper;

/** The examples of RFC 8428, and the limits of the parser. */
class SenmlTest {
  /** Section 5.1.2. */
  private static final String MULTIPLE_DATAPOINTS =
      """
      [
        {"bn":"urn:dev:ow:10e2073a01080063:","bt":1.320067464e+09,
         "bu":"%RH","v":21.2},
        {"t":10,"v":21.3},
        {"t":20,"v":21.4},
        {"t":30,"v":21.4},
        {"t":40,"v":21.5},
        {"t":50,"v":21.5},
        {"t":60,"v":21.5},
        {"t":70,"v":21.6},
        {"t":80,"v":21.7}
      ]""";

  @Test
  void parsesTheSingleDataPointOfSection511() {
    SenmlPack pack = json("[{\"n\":\"urn:dev:ow:10e2073a01080063\",\"u\":\"Cel\",\"v\":23.1}]");
    ResolvedRecord one = pack.resolve(1000).getFirst();
    assertThat(one.name()).isEqualTo("urn:dev:ow:10e2073a01080063");
    assertThat(one.unit()).isEqualTo("Cel");
    assertThat(one.value()).isEqualTo(new SenmlValue.Number(23.1));
    assertThat(one.time()).isEqualTo(1000);
    assertThat(one.relative()).isTrue();
  }

  @Test
  void resolvesNamesUnitsAndTimesAsInSection514() {
    List<ResolvedRecord> resolved =
        json("""
                [
                  {"bn":"urn:dev:ow:10e2073a01080063:","bt":1.276020076001e+09,
                   "bu":"A","bver":5,
                   "n":"voltage","u":"V","v":120.1},
                  {"n":"current","t":-5,"v":1.2},
                  {"n":"current","t":-4,"v":1.3}
                ]""")
            .resolve(0);
    assertThat(resolved)
        .extracting(ResolvedRecord::name)
        .containsExactly(
            "urn:dev:ow:10e2073a01080063:voltage",
            "urn:dev:ow:10e2073a01080063:current",
            "urn:dev:ow:10e2073a01080063:current");
    assertThat(resolved).extracting(ResolvedRecord::unit).containsExactly("V", "A", "A");
    assertThat(resolved)
        .extracting(ResolvedRecord::time)
        .containsExactly(1.276020076001e9, 1.276020071001e9, 1.276020072001e9);
  }

  @Test
  void resolvesTheMultipleDataPointsOfSection512() {
    List<ResolvedRecord> resolved = json(MULTIPLE_DATAPOINTS).resolve(0);
    assertThat(resolved).hasSize(9);
    assertThat(resolved.getLast().time()).isEqualTo(1.320067544e9);
    assertThat(resolved.getLast().unit()).isEqualTo("%RH");
  }

  @Test
  void theCborExampleOfSection6EqualsTheJsonExample() {
    // The example of section 6, octet for octet.
    byte[] cbor =
        HexFormat.of()
            .parseHex(
                "87a721781b75726e3a6465763a6f773a"
                    + "3130653230373361303130383030363a"
                    + "22fb41d303a15b00106223614120050067766f6c74616765"
                    + "01615602fb405e066666666666"
                    + "a3006763757272656e74062402fb3ff3333333333333"
                    + "a3006763757272656e74062302fb3ff4cccccccccccd"
                    + "a3006763757272656e74062202fb3ff6666666666666"
                    + "a3006763757272656e74062102f93e00"
                    + "a3006763757272656e74062002fb3ff999999999999a"
                    + "a3006763757272656e74060002fb3ffb333333333333");
    SenmlPack expected =
        json(
            """
            [
              {"bn":"urn:dev:ow:10e2073a0108006:","bt":1.276020076001e+09,
               "bu":"A","bver":5,
               "n":"voltage","u":"V","v":120.1},
              {"n":"current","t":-5,"v":1.2},
              {"n":"current","t":-4,"v":1.3},
              {"n":"current","t":-3,"v":1.4},
              {"n":"current","t":-2,"v":1.5},
              {"n":"current","t":-1,"v":1.6},
              {"n":"current","v":1.7}
            ]""");
    assertThat(SenmlPack.readCbor(cbor).resolve(0)).isEqualTo(expected.resolve(0));
  }

  @Test
  void parsesTheOtherTypesOfSection515() {
    SenmlPack pack =
        json(
            """
            [
              {"bn":"urn:dev:ow:10e2073a01080063:","n":"temp","u":"Cel","v":23.1},
              {"n":"label","vs":"Machine Room"},
              {"n":"open","vb":false},
              {"n":"nfc-reader","vd":"aGkgCg"}
            ]""");
    assertThat(pack.resolve(0))
        .extracting(m -> SenmlPack.text(m.value()))
        .containsExactly("23.1", "Machine Room", "false", "aGkgCg");
  }

  @Test
  void survivesARoundTripInJsonAndCbor() throws Exception {
    for (String text :
        List.of(
            MULTIPLE_DATAPOINTS,
            "[{\"n\":\"a\",\"vb\":true,\"s\":-0.5,\"ut\":60},{\"bn\":\"b\",\"vs\":\"\\u00e9\\n\"}]",
            "[{\"n\":\"a\",\"vd\":\"AAEC\",\"t\":-0.25},{\"bv\":1.5,\"n\":\"c\",\"v\":1e-7}]")) {
      SenmlPack pack = json(text);
      assertThat(SenmlPack.readJson(pack.writeJson()).resolve(9))
          .usingRecursiveComparison()
          .isEqualTo(pack.resolve(9));
      assertThat(SenmlPack.readCbor(pack.writeCbor()).resolve(9))
          .usingRecursiveComparison()
          .isEqualTo(pack.resolve(9));
      // Another implementation can also read it.
      assertThat(new ObjectMapper().readTree(pack.writeJson()).size())
          .isEqualTo(pack.records().size());
      assertThat(new CBORMapper().readTree(pack.writeCbor()).size())
          .isEqualTo(pack.records().size());
    }
  }

  @Test
  void addsBaseValueAndBaseSum() {
    List<ResolvedRecord> resolved =
        json("[{\"bn\":\"a\",\"bv\":20,\"bs\":100,\"v\":1.5,\"s\":5},{\"v\":2}]").resolve(0);
    assertThat(resolved.get(0).value()).isEqualTo(new SenmlValue.Number(21.5));
    assertThat(resolved.get(0).sum()).isEqualTo(105.0);
    assertThat(resolved.get(1).value()).isEqualTo(new SenmlValue.Number(22));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "[{}]",
        "[{\"n\":\"a\"}]",
        "[{\"v\":1}]",
        "[{\"n\":\"-a\",\"v\":1}]",
        "[{\"n\":\"a b\",\"v\":1}]",
        "[{\"n\":\"a\",\"v\":1,\"vs\":\"x\"}]",
        "[{\"n\":\"a\",\"v\":1,\"v\":2}]",
        "[{\"n\":\"a\",\"v\":\"1\"}]",
        "[{\"n\":\"a\",\"v\":1,\"new_\":2}]",
        "[{\"n\":\"a\",\"v\":1,\"bver\":11}]",
        "[{\"n\":\"a\",\"v\":1e999}]",
        "[{\"n\":\"a\",\"v\":NaN}]",
        "[{\"n\":\"a\",\"vd\":\"AAE=\"}]",
        "[{\"n\":\"a\",\"v\":1}] x"
      })
  void refusesPacksThatTheRfcForbids(String text) {
    assertThatThrownBy(() -> json(text)).isInstanceOf(SignedObjectException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"bn\":\"a\",\"bv\":1e308,\"v\":1e308}]",
        "[{\"bn\":\"a\",\"bv\":-1e308,\"v\":0},{\"v\":-1e308}]",
        "[{\"bn\":\"a\",\"bs\":1e308,\"s\":1e308}]",
        "[{\"bn\":\"a\",\"bt\":1e308,\"t\":1e308,\"v\":1}]",
        "[{\"bn\":\"a\",\"bt\":-1e308,\"t\":-1e308,\"v\":1}]",
        "[{\"n\":\"a\",\"t\":-1e17,\"v\":1}]"
      })
  void refusesSumsOutOfRange(String text) {
    assertThatThrownBy(() -> json(text))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("out of range");
  }

  @Test
  void limitsResolvedNamesAndUnits() {
    String some = "n".repeat(200);
    assertThat(json("[{\"bn\":\"%s\",\"n\":\"x\",\"v\":1}]".formatted(some)).resolve(0)).hasSize(1);
    for (String text :
        List.of(
            "[{\"bn\":\"%1$s\",\"n\":\"%1$s\",\"v\":1}]",
            "[{\"n\":\"a\",\"u\":\"%1$s%1$s\",\"v\":1}]",
            "[{\"n\":\"a\",\"bu\":\"%1$s%1$s\",\"v\":1}]")) {
      assertThatThrownBy(() -> json(text.formatted(some)))
          .isInstanceOf(SignedObjectException.class)
          .hasMessageContaining("255");
    }
  }

  @Test
  void refusesARecordWithTooManyKeys() {
    CborWriter cbor = new CborWriter().array(1).map(65);
    for (int key = 100; key < 165; key++) {
      cbor.integer(key).integer(0);
    }
    assertThatThrownBy(() -> SenmlPack.readCbor(cbor.toOctets()))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("too many");
  }

  @Test
  void skipsUnknownFields() {
    assertThat(json("[{\"n\":\"a\",\"v\":1,\"new\":{\"x\":[1]}}]").resolve(0)).hasSize(1);
  }

  private static SenmlPack json(String text) {
    return SenmlPack.readJson(text.getBytes(UTF_8));
  }
}
