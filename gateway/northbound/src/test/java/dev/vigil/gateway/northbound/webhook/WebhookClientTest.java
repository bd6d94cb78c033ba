package dev.vigil.gateway.northbound.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.northbound.events.EventFilter;
import dev.vigil.gateway.testing.SettableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
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
    signatures.add(exchange.getRequestHeaders().getFirst("webhook-signature"));
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().add("Location", "/elsewhere");
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private WebhookClient client(String secret) throws IOException {
    Path file = folder.resolve("secret");
    Files.writeString(file, secret + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook?token=t0p");
    WebhookProperties settings =
        new WebhookProperties(
            url, file.toString(), "", List.of(EventFilter.Kind.VALUE), List.of(), false);
    return new WebhookClient("northbound.webhook.shop", url, settings, clock);
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
