package dev.vigil.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameGrammarTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "mote-1",
        "two words",
        "a.b/c:d@e",
        "<b>&amp;\"'",
        "K\u00fcche",
        "\u6e29\u5ea6",
        "\ud83c\udf21",
        "\u05e9\u05dc\u05d5\u05dd",
        "123456789012345678901234567890123456789012345678901234567890123"
      })
  void acceptsNamesThatPeopleCanTellApart(String name) {
    assertThat(NameGrammar.fault(name)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "'',empty",
        ".trust,dot",
        " a,spaces",
        "a ,spaces",
        "a  b,spaces",
        "a\u00a0b,spaces",
        "a\u3000b,spaces",
        "a\u0000b,U+0000",
        "a\u001bb,U+001B",
        "a\u007fb,U+007F",
        "a\u0085b,U+0085",
        "a\u009bb,U+009B",
        "a\u00adb,U+00AD",
        "a\u200bb,U+200B",
        "a\u200db,U+200D",
        "a\u202eb,U+202E",
        "a\u2066b,U+2066",
        "a\ufeffb,U+FEFF",
        "a\u2028b,U+2028",
        "a\u2029b,U+2029",
        "a\ud800b,U+D800",
        "a\ue000b,U+E000",
        "a\uffffb,U+FFFF",
        "a\udb40\udc41b,U+E0041",
        "e\u0301,form C",
        "\u212b,form C",
        "1234567890123456789012345678901234567890123456789012345678901234,63 octets",
        "\u00fc234567890123456789012345678901234567890123456789012345678901234,63 octets"
      })
  void refusesNamesThatMislead(String name, String fault) {
    assertThat(NameGrammar.fault(name)).contains(fault);
  }
}
