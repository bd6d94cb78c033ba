package dev.vigil.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Query.Parameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestsTest {
  @Test
  void percentEscapesAreDecodedWithinTheirSegment() {
    assertThat(HttpRequests.path("/ms/7/a%2Fb/%C3%A4%20+"))
        .containsExactly("ms", "7", "a/b", "ä +");
  }

  @Test
  void aTrailingSlashIsAnEmptySegmentAsInCoap() {
    assertThat(HttpRequests.path("/rd/1/")).containsExactly("rd", "1", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/rd|POST, OPTIONS",
        "/rd/7|GET, HEAD, POST, DELETE, OPTIONS",
        "/rd-lookup/ep|GET, HEAD, OPTIONS",
        "/.well-known/core|GET, HEAD, OPTIONS",
        "/.well-known/rd|POST, OPTIONS"
      })
  void allowListsTheMethodsOfThePath(String path, String methods) {
    assertThat(AllowedMethods.at(path)).isEqualTo(methods);
  }

  @Test
  void aPlusInAQueryIsAPlusAndParametersKeepTheirOrder() {
    assertThat(HttpRequests.query("rt=a+b&obs&ep=%C3%BC%26").parameters())
        .containsExactly(
            new Parameter("rt", "a+b"), new Parameter("obs", ""), new Parameter("ep", "ü&"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ms/%", "/ms/%4", "/ms/%zz", "/ms/%ff", "/ms/../rd", "/ms/%2e%2E"})
  void aMalformedPathIsABadRequest(String path) {
    assertThatThrownBy(() -> HttpRequests.path(path))
        .isInstanceOfSatisfying(
            ErrorResponseException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_REQUEST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%", "=b", "a=1&&b", "%ff=1"})
  void aMalformedQueryIsABadRequest(String query) {
    assertThatThrownBy(() -> HttpRequests.query(query))
        .isInstanceOfSatisfying(
            ErrorResponseException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_REQUEST));
  }
}
