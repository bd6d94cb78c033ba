package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.tls.HttpProperties;
import dev.vigil.gateway.tls.TlsProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests from pages of other sites (Fetch standard section 3.3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherSitesTest {
  private final InProcessGateway gateway;
  private final String address;

  OtherSitesTest(@TempDir Path folder) {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.http.allowed-origins=https://plant.example,http://localhost:3000");
    address = gateway.address("http");
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private RawHttp.Answer request(String line, String... fields) throws IOException {
    return RawHttp.exchange(
        address,
        "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n%s\r\n\r\n"
            .formatted(line, String.join("\r\n", fields)));
  }

  private RawHttp.Answer preflight(String origin, String method, String headers)
      throws IOException {
    return request(
        "OPTIONS /api/endpoints/1/label",
        "Origin: " + origin,
        "Access-Control-Request-Method: " + method,
        "Access-Control-Request-Headers: " + headers);
  }

  @Test
  void pagesOfAllowedOriginsMaySendRequestsWithATokenButWithoutACookie() throws IOException {
    for (String origin : List.of("https://plant.example", "http://localhost:3000")) {
      RawHttp.Answer asked = preflight(origin, "PUT", "authorization,content-type,if-match");
      assertThat(asked.status()).isEqualTo(200);
      assertThat(asked.field("Access-Control-Allow-Origin")).isEqualTo(origin);
      assertThat(asked.field("Access-Control-Allow-Methods")).contains("PUT");
      assertThat(asked.field("Access-Control-Allow-Headers")).contains("authorization", "if-match");
      assertThat(asked.head()).doesNotContain("Access-Control-Allow-Credentials");
      assertThat(preflight(origin, "PUT", "x-vigil-csrf").status()).isEqualTo(403);
      assertThat(preflight(origin, "PATCH", "authorization").status()).isEqualTo(403);
    }
    RawHttp.Answer read = request("GET /api/endpoints", "Origin: https://plant.example");
    assertThat(read.field("Access-Control-Allow-Origin")).isEqualTo("https://plant.example");
    assertThat(read.field("Access-Control-Expose-Headers")).contains("ETag", "Location");
    assertThat(read.field("Vary")).contains("Origin");
  }

  @Test
  void pagesOfOtherOriginsReadAndChangeNothing() throws IOException {
    for (String origin :
        List.of(
            "https://evil.example",
            "http://plant.example",
            "https://plant.example:8443",
            "https://plant.example.evil",
            "null")) {
      assertThat(preflight(origin, "PUT", "authorization").head())
          .as(origin)
          .doesNotContain("Access-Control-Allow");
      RawHttp.Answer read = request("GET /api/endpoints", "Origin: " + origin);
      assertThat(read.head()).as(origin).doesNotContain("Access-Control-Allow");
    }
  }

  @Test
  void aCookieDoesNotServeAPageOfAnAllowedOrigin() throws IOException {
    String site = "Sec-Fetch-Site: cross-site";
    String allowed = "Origin: https://plant.example";
    String token = "Authorization: Bearer unknown";
    String cookie = "Cookie: __Host-vigil-session=" + "x".repeat(43);
    String planted = "Cookie: vigil-session=" + "x".repeat(43);
    String change = "DELETE /api/endpoints/1/label";
    assertThat(request(change, allowed, site, token).status()).isEqualTo(401);
    assertThat(request(change, "Origin: https://evil.example", site, token).status())
        .isEqualTo(403);
    RawHttp.Answer withCookie = request(change, allowed, site, cookie);
    assertThat(withCookie.status()).isEqualTo(403);
    assertThat(withCookie.body()).contains("X-Vigil-CSRF");
    assertThat(request(change, allowed, site, planted).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "https://plant.example/",
        "https://PLANT.example",
        "https://plant.example:443",
        "http://plant.example:80",
        "plant.example",
        "null"
      })
  void anAllowedOriginIsWrittenAsBrowsersSendIt(String wrong) {
    TlsProperties none = new TlsProperties("", "", false);
    assertThatThrownBy(
            () ->
                new HttpProperties("127.0.0.1", 0, 0, 65_536, List.of(), List.of(wrong), "", none))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("http.allowed-origins takes origins as browsers send them");
  }
}
