package dev.vigil.coap.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriReferencesTest {
  /** RFC 3986 sections 5.4.1 and 5.4.2; full URIs stay as they are. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "g:h,           g:h",
        "g,             http://a/b/c/g",
        "./g,           http://a/b/c/g",
        "g/,            http://a/b/c/g/",
        "/g,            http://a/g",
        "//g,           http://g",
        "?y,            http://a/b/c/d;p?y",
        "g?y,           http://a/b/c/g?y",
        "#s,            http://a/b/c/d;p?q#s",
        "g#s,           http://a/b/c/g#s",
        "g?y#s,         http://a/b/c/g?y#s",
        ";x,            http://a/b/c/;x",
        "g;x?y#s,       http://a/b/c/g;x?y#s",
        "'',            http://a/b/c/d;p?q",
        ".,             http://a/b/c/",
        "./,            http://a/b/c/",
        "..,            http://a/b/",
        "../,           http://a/b/",
        "../g,          http://a/b/g",
        "../..,         http://a/",
        "../../,        http://a/",
        "../../g,       http://a/g",
        "../../../g,    http://a/g",
        "../../../../g, http://a/g",
        "/./g,          http://a/g",
        "/../g,         http://a/g",
        "g.,            http://a/b/c/g.",
        ".g,            http://a/b/c/.g",
        "g..,           http://a/b/c/g..",
        "..g,           http://a/b/c/..g",
        "./../g,        http://a/b/g",
        "./g/.,         http://a/b/c/g/",
        "g/./h,         http://a/b/c/g/h",
        "g/../h,        http://a/b/c/h",
        "g;x=1/./y,     http://a/b/c/g;x=1/y",
        "g;x=1/../y,    http://a/b/c/y",
        "g?y/./x,       http://a/b/c/g?y/./x",
        "g#s/../x,      http://a/b/c/g#s/../x",
      })
  void resolvesTheExamplesOfRfc3986(String reference, String resolved) {
    assertThat(UriReferences.resolve("http://a/b/c/d;p?q", reference)).isEqualTo(resolved);
  }

  @Test
  void resolvesAgainstABaseWithoutPath() {
    assertThat(UriReferences.resolve("coap://[2001:db8:3::123]:61616", "/temp"))
        .isEqualTo("coap://[2001:db8:3::123]:61616/temp");
    assertThat(UriReferences.resolve("coap+tcp://h", "temp")).isEqualTo("coap+tcp://h/temp");
  }

  @Test
  void recognisesLimitedLinkFormat() {
    assertThat(UriReferences.isLimited("/a")).isTrue();
    assertThat(UriReferences.isLimited("/")).isTrue();
    assertThat(UriReferences.isLimited("coap://h/a")).isTrue();
    assertThat(UriReferences.isLimited("urn:x")).isTrue();
    assertThat(UriReferences.isLimited("a")).isFalse();
    assertThat(UriReferences.isLimited("")).isFalse();
    assertThat(UriReferences.isLimited("//h/a")).isFalse();
    assertThat(UriReferences.isLimited("?a")).isFalse();
    assertThat(UriReferences.isLimited("a/b:c")).isFalse();
  }
}
