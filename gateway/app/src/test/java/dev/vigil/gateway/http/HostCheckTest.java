package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that an attacker lets resolve to the gateway, and what Tomcat answers by itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostCheckTest {
  private static final List<String> PATHS =
      List.of("/", "/rd-lookup/ep", "/api/endpoints", "/actuator/health", "/nope", "/ms/x/y");

  private final Path folder;
  private final InProcessGateway gateway;
  private final String address;

  HostCheckTest(@TempDir Path folder) {
    this.folder = folder;
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.mirror.base=coap://public.example",
            "--vigil.http.allowed-hosts=Gateway.Example,*.fleet.example,192.0.2.1,[2001:DB8::1]");
    address = gateway.address("http");
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private RawHttp.Answer get(String path, String host) throws IOException {
    return RawHttp.get(address, path, "Host: " + host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rebound.example",
        "127.0.0.1.example",
        "localhost.example",
        "gateway.example.evil",
        "fleet.example",
        "a.b.fleet.example",
        "192.0.2.2",
        "[2001:db8::2]",
        "0.0.0.0",
        "[::]",
        "REBOUND.example.:8080",
        "rebound.example:0",
        "localhost_",
        "2130706433.example"
      })
  void aForeignHostGets421ThatNamesTheSetting(String host) throws IOException {
    for (String path : PATHS) {
      RawHttp.Answer answer = get(path, host);
      assertThat(answer.status()).as(path).isIn(421, 400);
      assertThat(answer.body()).doesNotContainIgnoringCase("rebound");
      if (answer.status() == 421) {
        assertThat(answer.field("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.body()).contains("vigil.http.allowed-hosts");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost.:1234",
        "127.0.0.1",
        "127.8.9.10:80",
        "[::1]",
        "[::1]:99",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]:8080",
        "gateway.example",
        "GATEWAY.example.:8443",
        "a.fleet.example",
        "public.example",
        "192.0.2.1:8080",
        "[2001:db8:0::1]:8080"
      })
  void ownNamesAreAnswered(String host) throws IOException {
    assertThat(get("/actuator/health", host).status()).isEqualTo(200);
    assertThat(get("/rd-lookup/ep", host).status()).isEqualTo(200);
  }

  @Test
  void aRequestNamesItsHostOnce() throws IOException {
    String foreign = "Host: rebound.example\r\n";
    String end = "Connection: close\r\n\r\n";
    assertThat(status("GET /rd-lookup/ep HTTP/1.1\r\nHost: localhost\r\n" + foreign + end))
        .isEqualTo(400);
    assertThat(status("GET /rd-lookup/ep HTTP/1.1\r\n" + foreign + "Host: localhost\r\n" + end))
        .isEqualTo(400);
    assertThat(status("GET /rd-lookup/ep HTTP/1.1\r\n" + end)).isEqualTo(400);
    String target = "GET http://rebound.example/rd-lookup/ep HTTP/1.";
    assertThat(status(target + "1\r\nHost: localhost\r\n" + end)).isEqualTo(400);
    assertThat(status(target + "1\r\n" + foreign + end)).isEqualTo(421);
    assertThat(status(target + "0\r\n\r\n")).isEqualTo(421);
    assertThat(status("GET /rd-lookup/ep HTTP/1.0\r\n" + foreign + "\r\n")).isEqualTo(421);
    // No browser sends HTTP/1.0 without a Host.
    assertThat(status("GET /rd-lookup/ep HTTP/1.0\r\n\r\n")).isEqualTo(200);
  }

  private int status(String request) throws IOException {
    return RawHttp.exchange(address, request).status();
  }

  @Test
  void forwardingHeadersDoNotNameTheHost() throws IOException {
    for (String field : List.of("X-Forwarded-Host: localhost", "Forwarded: host=localhost")) {
      assertThat(RawHttp.get(address, "/rd-lookup/ep", "Host: rebound.example", field).status())
          .isEqualTo(421);
      assertThat(RawHttp.get(address, "/rd-lookup/ep", "Host: localhost", field).status())
          .isEqualTo(200);
    }
  }

  @Test
  void metricsAreForThisMachineAndHideTheVersionOfJava() throws IOException {
    String path = "/actuator/prometheus";
    RawHttp.Answer metrics = get(path, "localhost");
    assertThat(metrics.status()).isEqualTo(200);
    assertThat(metrics.body())
        .contains("vigil_store_landed_total")
        .doesNotContain("jvm_info", Runtime.version().toString());
    assertThat(get(path, "[::1]:1").status()).isEqualTo(200);
    assertThat(get(path, "gateway.example").status()).isEqualTo(401);
    assertThat(get("/actuator/info", "gateway.example").status()).isEqualTo(401);
    assertThat(status("GET " + path + " HTTP/1.0\r\n\r\n")).isEqualTo(401);
    for (String field : List.of("X-Forwarded-Proto: https", "x-real-ip: ::1", "Via: 1.1 x")) {
      assertThat(RawHttp.get(address, path, "Host: localhost", field).status()).isEqualTo(401);
    }
    for (String trick : List.of("/actuator/%70rometheus", "//actuator/./prometheus;x=y")) {
      assertThat(get(trick, "gateway.example").status()).as(trick).isIn(400, 401, 404);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /a%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/7.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nbroken\u0001: x\r\n\r\n",
        "POST /ms HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: strange\r\n\r\n",
        "POST /ms HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "MAKE /api/endpoints HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n",
        "GET /../../x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      })
  void everyAnswerHasSecurityHeaders(String request) throws IOException {
    RawHttp.Answer answer = RawHttp.exchange(address, request);
    assertThat(answer.status()).isPositive();
    assertThat(answer.field("Content-Security-Policy"))
        .contains("default-src 'none'", "frame-ancestors 'none'");
    assertThat(answer.field("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(answer.field("X-Frame-Options")).isEqualTo("DENY");
    assertThat(answer.field("Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(answer.field("Permissions-Policy"))
        .isEqualTo("camera=(self), geolocation=(), microphone=(), usb=()");
    assertThat(answer.head() + answer.body()).doesNotContain("Tomcat", "Apache", "<html");
  }

  @Test
  void aTooLongHeadHasSecurityHeadersToo() throws IOException {
    RawHttp.Answer answer = get("/", "localhost\r\nX: " + "x".repeat(20_000));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field("X-Frame-Options")).isEqualTo("DENY");
  }

  @Test
  void anAllowedHostIsWrittenWithoutPort() {
    for (String wrong : List.of("gateway.example:8080", "http://gateway.example", "*", "a b")) {
      assertThatThrownBy(
              () -> new InProcessGateway(folder, "--vigil.http.allowed-hosts=" + wrong).close())
          .hasRootCauseInstanceOf(InvalidSettingException.class)
          .rootCause()
          .hasMessageContaining("without port");
    }
  }
}
