package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.ContentFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptedTest {
  @Test
  void noHeaderTakesAnything() {
    assertThat(Accepted.of(null)).isEqualTo(new Accepted(List.of(), true));
    assertThat(Accepted.of("*/*")).isEqualTo(new Accepted(List.of(), true));
    assertThat(Accepted.of("  ")).isEqualTo(new Accepted(List.of(), true));
  }

  @Test
  void aBrowsersHeaderTakesAnything() {
    assertThat(Accepted.of("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"))
        .isEqualTo(new Accepted(List.of(), true));
  }

  @Test
  void qualitiesPutFormatsInOrder() {
    assertThat(Accepted.of("text/plain;q=0.2, application/jose;q=0.9, application/senml+json"))
        .isEqualTo(
            new Accepted(
                List.of(ContentFormat.SENML_JSON, ContentFormat.JOSE, ContentFormat.TEXT), false));
  }

  @Test
  void qualityZeroTakesAFormatOut() {
    assertThat(Accepted.of("text/*, text/plain;q=0").formats()).isEmpty();
    assertThat(Accepted.of("*/*;q=0").any()).isFalse();
  }

  @Test
  void theMoreExactRangeDecides() {
    assertThat(Accepted.of("application/*;q=0.1, application/jose").formats())
        .startsWith(ContentFormat.JOSE)
        .contains(ContentFormat.SENML_CBOR)
        .doesNotContain(ContentFormat.TEXT);
  }

  @Test
  void whatCannotBeReadIsNotWanted() {
    assertThat(Accepted.of("text/html")).isEqualTo(new Accepted(List.of(), false));
    assertThat(Accepted.of("application/jose;q=much").formats()).isEmpty();
    assertThat(Accepted.of(",;,=,;q,/").any()).isFalse();
  }

  @Test
  void letterCaseAndParametersDoNotMatter() {
    assertThat(Accepted.of("Application/JOSE; charset=x ; Q=1").formats())
        .containsExactly(ContentFormat.JOSE);
  }
}
