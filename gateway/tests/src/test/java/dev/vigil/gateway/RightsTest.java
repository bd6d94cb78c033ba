package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.coap.CoapTestClient;
import dev.vigil.gateway.http.RawHttp;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * No operation answers a caller without rights, however its path is written, on closed and open
 * gateways.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RightsTest {
  private static final String SECRET = "4711.25";
  private static final String NAME = "secret-mote";

  /** The sign-in page reads from it how people can sign in. */
  private static final String OPEN = "/api/sign-in";

  private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE");

  /** Spellings of a path that a proxy, a filter and a servlet may each read in another way. */
  private static final Map<String, UnaryOperator<String>> TRICKS =
      Map.ofEntries(
          Map.entry("plain", path -> path),
          Map.entry("double slash", path -> "/" + path),
          Map.entry("double slashes", path -> path.replace("/", "//")),
          Map.entry("dot", path -> "/." + path),
          Map.entry("dots", path -> "/x/.." + path),
          Map.entry("public dots", path -> "/actuator/health/../.." + path),
          Map.entry("escaped dots", path -> "/actuator/health/%2e%2e/%2E%2e" + path),
          Map.entry("escaped slashes", path -> path.replace("/", "%2f").replaceFirst("%2f", "/")),
          Map.entry("dots and slashes", path -> "/keys/..%2f.." + path),
          Map.entry(
              "double encoding", path -> path.replace("/a", "/%2561").replace("/m", "/%256d")),
          Map.entry("doubly escaped", path -> "/keys/%252e%252e/.." + path),
          Map.entry("encoding", path -> path.replace("e", "%65").replace("s", "%73")),
          Map.entry("semicolon", path -> path + ";x=y"),
          Map.entry("semicolons", path -> path.replace("/", "/;a=b/").substring(1)),
          Map.entry("semicolon in front", path -> "/;" + path),
          Map.entry("dots and semicolon", path -> "/actuator/health/..;/..;" + path),
          Map.entry("session", path -> path + ";jsessionid=1"),
          Map.entry("upper case", path -> path.toUpperCase(Locale.ROOT)),
          Map.entry("trailing slash", path -> path + "/"),
          Map.entry("trailing dot", path -> path + "."),
          Map.entry("trailing escaped dot", path -> path + "%2e"),
          Map.entry("trailing space", path -> path + "%20"),
          Map.entry("null", path -> path + "%00"),
          Map.entry("null and suffix", path -> path + "%00.css"),
          Map.entry("suffix", path -> path + ".json"),
          Map.entry("asset", path -> path + "/assets/index.js"),
          Map.entry("backslash", path -> path.replace("/", "\\")),
          Map.entry("escaped backslash", path -> "/keys%5c.." + path),
          Map.entry("overlong", path -> "/keys/%c0%ae%c0%ae" + path),
          Map.entry(
              "wide slash", path -> path.replace("/", "%ef%bc%8f").replaceFirst("%ef%bc%8f", "/")),
          Map.entry("absolute", path -> "http://localhost" + path),
          Map.entry("line break", path -> path + "%0d%0aX:%20y"),
          Map.entry("query", path -> path + "?access_token=x&_method=GET"),
          Map.entry("fragment", path -> path + "#/actuator/health"));

  @TempDir static Path folder = Path.of("");

  private final SleepyEndpoint mote = new SleepyEndpoint(NAME);
  private InProcessGateway closed;
  private InProcessGateway open;
  private String entry;

  @BeforeAll
  void start() {
    closed = new InProcessGateway(folder.resolve("closed"), "--vigil.trust=first-use");
    open =
        new InProcessGateway(
            folder.resolve("open"), "--vigil.trust=first-use", "--vigil.anonymous-read=true");
    entry = prepare(closed);
    assertThat(prepare(open)).isEqualTo(entry);
  }

  @AfterAll
  void stop() {
    closed.close();
    open.close();
  }

  private String prepare(InProcessGateway gateway) {
    HttpTestClient http = new HttpTestClient(gateway.address("http"));
    String path = http.register(mote, 1, "</temp>;rt=\"secret\"");
    String update = mote.update("temp", 2, Double.parseDouble(SECRET));
    assertThat(http.send("PUT", path + "/temp", "application/jose", update).statusCode())
        .isEqualTo(201);
    return path;
  }

  /** Every path of the REST interface with its parameters filled in. */
  private List<String> restPaths() {
    JsonNode paths = new OperatorClient(closed).read("/v3/api-docs").get("paths");
    List<String> filled = new ArrayList<>();
    for (String path :
        paths.propertyNames().stream().filter(name -> name.startsWith("/api/")).toList()) {
      filled.add(
          path.replace("{id}", entry.substring(4))
              .replace("{thumbprint}", mote.jkt())
              .replace("{name}", "-")
              .replace("{seq}", "1")
              .replaceAll("\\{(\\*)?(path|rest)}", "temp")
              .replaceAll("\\{[^}]*}", "x"));
    }
    assertThat(filled).hasSizeGreaterThan(15);
    return filled;
  }

  private List<String> readPaths() {
    List<String> paths = new ArrayList<>(restPaths());
    paths.addAll(
        List.of(
            entry,
            entry + "/temp",
            "/rd-lookup/ep",
            "/rd-lookup/res",
            "/.well-known/core",
            "/rd/" + entry.substring(4)));
    return paths;
  }

  private static RawHttp.Answer ask(
      InProcessGateway gateway, String method, String target, String... fields) throws IOException {
    return RawHttp.exchange(
        gateway.address("http"),
        "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n%s\r\n"
            .formatted(
                method, target, String.join("\r\n", fields) + (fields.length > 0 ? "\r\n" : "")));
  }

  private void requireNothingTold(RawHttp.Answer answer, String of) {
    assertThat(answer.head() + answer.body())
        .as(of)
        .doesNotContain(SECRET, NAME, "\"secret\"", "operator.token", "Exception");
  }

  @Test
  void aClosedGatewayTellsStrangersNothingHoweverTheyWriteThePath() throws IOException {
    int asked = 0;
    for (String path : readPaths()) {
      for (Map.Entry<String, UnaryOperator<String>> trick : TRICKS.entrySet()) {
        String target = trick.getValue().apply(path);
        RawHttp.Answer answer = ask(closed, "GET", target);
        requireNothingTold(answer, trick.getKey() + ": " + target);
        assertThat(answer.status()).as(target).isNotEqualTo(500);
        boolean rest =
            path.startsWith("/api/") && !path.equals(OPEN) && trick.getKey().equals("plain");
        if (rest) {
          assertThat(answer.status()).as(target).isIn(401, 405);
        }
        asked++;
      }
    }
    assertThat(asked).isGreaterThan(700);
  }

  @Test
  void noMethodWithoutOrWithAWrongTokenSucceeds() throws IOException {
    for (String path : restPaths()) {
      for (String method : METHODS) {
        for (String token :
            List.of("Bearer wrong", "Basic b3BlcmF0b3I6eA==", "bearer", "Bearer \u00e9")) {
          String what = method + " " + path + " " + token;
          RawHttp.Answer answer = ask(closed, method, path, "Authorization: " + token);
          assertThat(answer.status()).as(what).isIn(400, 401, 405, 415, 429);
          requireNothingTold(answer, what);
        }
      }
    }
    // The limit applies to wrong tokens, not to the right token.
    RawHttp.Answer limited = ask(closed, "GET", "/api/endpoints", "Authorization: Bearer wrong");
    // Every six seconds one attempt is examined; the next one is refused.
    for (int i = 0; i < 20 && limited.status() == 401; i++) {
      limited = ask(closed, "GET", "/api/endpoints", "Authorization: Bearer wrong");
    }
    assertThat(limited.status()).isEqualTo(429);
    assertThat(limited.field("Retry-After")).matches("[0-9]+");
    assertThat(new OperatorClient(closed).read("/api/endpoints").toString()).contains(NAME);
  }

  @Test
  void anOpenGatewayLetsStrangersChangeNothing() throws IOException {
    List<String> changing = new ArrayList<>(restPaths());
    changing.removeIf(
        path ->
            !path.matches(
                ".*/(approve|refuse|revoke|repair|refresh|forgive|commands|1|keys|"
                    + mote.jkt()
                    + ")"));
    assertThat(changing).hasSizeGreaterThan(6);
    for (String path : changing) {
      for (Map.Entry<String, UnaryOperator<String>> trick : TRICKS.entrySet()) {
        String target = trick.getValue().apply(path);
        for (String method : List.of("POST", "PUT", "DELETE")) {
          String what = trick.getKey() + ": " + method + " " + target;
          assertThat(ask(open, method, target).status()).as(what).isBetween(400, 499);
        }
      }
    }
    OperatorClient operator = new OperatorClient(open);
    assertThat(operator.get("/api/keys/" + mote.jkt()).body()).contains("\"trusted\"");
    assertThat(operator.get(entry + "/temp").statusCode()).isEqualTo(200);
  }

  @Test
  void aClosedGatewayTellsStrangersNothingOverCoap() {
    try (CoapTestClient coap = new CoapTestClient(closed.address("coap"))) {
      for (String path :
          List.of(
              entry,
              entry + "/temp",
              entry + "/temp?after=0",
              entry + "/temp?after=0&limit=1",
              entry + "/temp?commands",
              entry + "//temp",
              entry + "/temp/",
              entry + "/%74emp",
              entry + "/temp%00",
              entry.toUpperCase(Locale.ROOT) + "/temp",
              "/ms",
              "/ms/",
              "/rd-lookup/ep",
              "/rd-lookup/res?rt=secret",
              "/rd-lookup/ep?ep=" + NAME,
              "/rd-lookup//ep",
              "/rd-lookup/%65p",
              "/rd/" + entry.substring(4),
              "/.well-known/core",
              "/.well-known/core?rt=secret",
              "/.well-known%2Fcore",
              "/api/endpoints",
              "/actuator/prometheus")) {
        CoapTestClient.Answer answer = coap.get(path);
        assertThat(answer.text()).as(path).doesNotContain(SECRET, NAME, "secret");
        if (!path.startsWith("/.well-known")) {
          assertThat(answer.code()).as(path).startsWith("4.");
        }
      }
    }
  }
}
