package dev.vigil.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptHeaderTest {
  @Test
  void withoutAHeaderAnyFormatIsAccepted() {
    assertThat(AcceptHeader.of(null)).isEqualTo(new AcceptHeader(List.of(), true));
    assertThat(AcceptHeader.of("*/*")).isEqualTo(new AcceptHeader(List.of(), true));
    assertThat(AcceptHeader.of("  ")).isEqualTo(new AcceptHeader(List.of(), true));
  }

  @Test
  void aBrowsersHeaderAcceptsAnyFormat() {
    assertThat(AcceptHeader.of("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"))
        .isEqualTo(new AcceptHeader(List.of(), true));
  }

  @Test
  void qualitiesPutFormatsInOrder() {
    assertThat(AcceptHeader.of("text/plain;q=0.2, application/jose;q=0.9, application/senml+json"))
        .isEqualTo(
            new AcceptHeader(
                List.of(ContentFormat.SENML_JSON, ContentFormat.JOSE, ContentFormat.TEXT), false));
  }

  @Test
  void qualityZeroExcludesAFormat() {
    assertThat(AcceptHeader.of("text/*, text/plain;q=0").formats()).isEmpty();
    assertThat(AcceptHeader.of("*/*;q=0").any()).isFalse();
  }

  @Test
  void theMostSpecificRangeDecides() {
    assertThat(AcceptHeader.of("application/*;q=0.1, application/jose").formats())
        .startsWith(ContentFormat.JOSE)
        .contains(ContentFormat.SENML_CBOR)
        .doesNotContain(ContentFormat.TEXT);
  }

  @Test
  void aMalformedQualityExcludesTheFormat() {
    assertThat(AcceptHeader.of("text/html")).isEqualTo(new AcceptHeader(List.of(), false));
    assertThat(AcceptHeader.of("application/jose;q=much").formats()).isEmpty();
    assertThat(AcceptHeader.of(",;,=,;q,/").any()).isFalse();
  }

  @Test
  void letterCaseAndParametersDoNotMatter() {
    assertThat(AcceptHeader.of("Application/JOSE; charset=x ; Q=1").formats())
        .containsExactly(ContentFormat.JOSE);
  }
}
