package dev.vigil.gateway.northbound.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.gateway.northbound.Language;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.gateway.northbound.events.EventFilter;
import dev.vigil.gateway.northbound.template.AlarmEvents;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.testing.SettableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookClientTest {
  /** The example from the libraries of the Standard Webhooks specification. */
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final CloudEvent EVENT = new CloudEvent("7.temp", "dev.vigil.value", "{\"a\":1}");

  @TempDir private Path folder = Path.of("");
  private final SettableClock clock = new SettableClock();
  private final List<String> asked = new ArrayList<>();
  private final List<String> signatures = new ArrayList<>();
  private int status = 204;
  private String answer = "";
  private String body = "";
  private Headers headers = new Headers();
  private HttpServer server = start();

  private static HttpServer start() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void listen() {
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestURI().getPath());
    headers = exchange.getRequestHeaders();
    signatures.add(headers.getFirst("webhook-signature"));
    body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Location", "/elsewhere");
    exchange.sendResponseHeaders(status, answer.isEmpty() ? -1 : 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(answer.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // The gateway does not read long answers.
    }
    exchange.close();
  }

  private WebhookClient client(String secret) throws IOException {
    Path file = folder.resolve("secret");
    Files.writeString(file, secret + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook?token=t0p");
    return client(url, file.toString(), "", Map.of());
  }

  private WebhookClient client(URI url, String secret, String body, Map<String, String> files)
      throws IOException {
    WebhookProperties settings =
        new WebhookProperties(
            url,
            secret,
            "",
            List.of(EventFilter.Kind.VALUE),
            List.of(),
            false,
            body,
            "application/json",
            Language.EN,
            Map.of("X-Title", "Vigil", "X-Gotify-Key", "gk_0123456789"),
            files);
    settings.require("northbound.webhook.shop");
    return new WebhookClient("northbound.webhook.shop", url, settings, endpoint -> null, clock);
  }

  @Test
  void theSignatureMatchesTheSpecification() {
    assertThat(
            WebhookSignature.of(SECRET)
                .of(
                    "msg_p5jXN8AQM9LWM0D4loKWxJek",
                    1614265330,
                    "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void anEventThatTheServerTakesIsSentOnceAndSigned() throws Exception {
    assertThat(client(SECRET).send(EVENT)).isTrue();
    assertThat(asked).containsExactly("/hook");
    String signed =
        WebhookSignature.of(SECRET)
            .of(
                "7.temp",
                clock.instant().getEpochSecond(),
                "{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    assertThat(signatures).containsExactly(signed);
  }

  @Test
  void redirectsAreNotFollowed() throws Exception {
    WebhookClient client = client(SECRET);
    for (int redirect : new int[] {301, 302, 307, 308}) {
      status = redirect;
      assertThatThrownBy(() -> client.send(EVENT))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("redirects are not followed");
    }
    assertThat(asked).containsOnly("/hook");
  }

  @Test
  void aFaultOfTheServerLeadsToAnotherAttempt() throws Exception {
    WebhookClient client = client(SECRET);
    for (int fault : new int[] {401, 403, 404, 429, 500, 503}) {
      status = fault;
      assertThatThrownBy(() -> client.send(EVENT))
          .isInstanceOf(IOException.class)
          .hasMessage("the server answered " + fault)
          .hasMessageNotContaining("t0p");
    }
    server.stop(0);
    assertThatThrownBy(() -> client.send(EVENT))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("t0p");
  }

  @Test
  void anEventThatIsRefusedForGoodIsNotRetried() throws Exception {
    WebhookClient client = client(SECRET);
    for (int refusal : new int[] {400, 413, 422}) {
      status = refusal;
      assertThat(client.send(EVENT)).isFalse();
    }
  }

  private static final String TEMPLATE = "{\"text\": \"{{text}}\"}";

  private URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private String secretHeader(String value) throws IOException {
    Path file = folder.resolve("header");
    Files.writeString(file, value + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file.toString();
  }

  @Test
  void aBodyFromATemplateIsSentWithItsHeaders() throws Exception {
    WebhookClient client =
        client(
            url("/"), "", TEMPLATE, Map.of("Authorization", secretHeader("Bearer tk_0123456789")));
    assertThat(client.send(AlarmEvents.alarm("a", "info", "active", "say \"hi\""))).isTrue();
    assertThat(body).isEqualTo("{\"text\": \"say \\\"hi\\\"\"}");
    assertThat(headers.getFirst("Content-Type")).isEqualTo("application/json");
    assertThat(headers.getFirst("Authorization")).isEqualTo("Bearer tk_0123456789");
    assertThat(headers.getFirst("X-Title")).isEqualTo("Vigil");
    assertThat(headers.getFirst("webhook-id")).isEqualTo("7.a1");
    assertThat(headers.getFirst("webhook-signature")).isNull();
  }

  @Test
  void aBodyFromATemplateIsSignedAsItIsSent() throws Exception {
    Path file = folder.resolve("secret");
    Files.writeString(file, SECRET);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    WebhookClient client = client(url("/"), file.toString(), TEMPLATE, Map.of());
    assertThat(client.send(AlarmEvents.alarm("a", "info", "active", "x"))).isTrue();
    byte[] sent = body.getBytes(StandardCharsets.UTF_8);
    assertThat(signatures)
        .containsExactly(
            WebhookSignature.of(SECRET).of("7.a1", clock.instant().getEpochSecond(), sent));
  }

  @Test
  void anEventThatATemplateLeavesOutIsNotSent() throws Exception {
    String critical = "{{#critical}}{}{{/critical}}";
    WebhookClient client = client(url("/"), "", critical, Map.of());
    assertThat(client.send(AlarmEvents.alarm("a", "info", "active", "x"))).isTrue();
    assertThat(asked).isEmpty();
  }

  @Test
  void aTestShowsTheAnswerWithoutSecrets() throws Exception {
    WebhookClient client =
        client(
            url("/bot123456789:s3cr3t-t0ken/sendMessage?sig=abc%20def"),
            "",
            TEMPLATE,
            Map.of("Authorization", secretHeader("Bearer tk_0123456789")));
    CloudEvent test = CloudEvents.test("webhook:shop", clock.instant());
    status = 200;
    answer = "\n ok\u0007: taken \nmore";
    assertThat(client.probe(test)).isEqualTo(new Probe.Answer(true, "200 ok : taken"));
    assertThat(body).contains("This is a test");
    status = 404;
    answer =
        "/bot123456789:s3cr3t-t0ken/sendMessage s3cr3t-t0ken abc def Bearer tk_0123456789"
            + " gk_0123456789 not found";
    assertThat(client.probe(test).text())
        .startsWith("404 ***")
        .endsWith("not found")
        .doesNotContain("s3cr3t", "123456789", "abc def", "tk_", "gk_");
    answer = "x".repeat(1 << 20);
    assertThat(client.probe(test).text()).hasSizeLessThan(210).startsWith("404 xxx");
    server.stop(0);
    assertThatThrownBy(() -> client.probe(test))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("s3cr3t");
  }

  @Test
  void aSecretHeaderComesFromAFile() {
    for (String name : new String[] {"Content-Type", "webhook-id", "a b"}) {
      assertThatThrownBy(() -> client(url("/"), "", TEMPLATE, Map.of(name, "/x")))
          .isInstanceOf(InvalidSettingException.class)
          .hasMessageContaining("header-files");
    }
    assertThatThrownBy(
            () -> WebhookHeaders.require("p", Map.of("authorization", "Bearer x"), Map.of()))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("header-files")
        .hasMessageNotContaining("Bearer");
    assertThatThrownBy(() -> WebhookHeaders.require("p", Map.of("X", "a\r\nb"), Map.of()))
        .isInstanceOf(InvalidSettingException.class);
  }

  @Test
  void anUnsignedWebhookNeedsABody() {
    assertThatThrownBy(() -> client(url("/"), "", "", Map.of()))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("secret-file");
    assertThatThrownBy(() -> client(url("/"), "", "{\n\"a\": \"{{b}}\"}", Map.of()))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("northbound.webhook.shop.body is wrong in line 2, column 7");
  }

  @Test
  void anUnusableSecretIsRefusedWithoutShowingIt() {
    assertThatThrownBy(() -> client("tooshort"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("vigil.northbound.webhook.shop.secret-file")
        .hasMessageNotContaining("tooshort");
    assertThatThrownBy(() -> client("whsec_no!base64"))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("no!base64");
  }
}
