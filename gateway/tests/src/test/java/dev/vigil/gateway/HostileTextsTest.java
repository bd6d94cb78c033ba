package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.http.RawHttp;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Texts of motes that imitate markup, formulas, events, lines or metrics. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileTextsTest {
  /** A harmless name that the grammar permits. */
  private static final String NAME = "=cmd|'/C calc'!A0,<script>alert(1)</script>\"&";

  /** Text of a measurement, as JSON. */
  private static final String TEXT =
      "\\r\\n\\r\\nevent: evil\\ndata: {}\\n\\n# TYPE evil counter\\nevil 1\\n</script>\\u202e\\u0000\\u001b[2J";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;
  private SleepyEndpoint mote;
  private String entry;
  private long seq = 1;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true");
    http = new HttpTestClient(gateway.address("http"));
    mote = new SleepyEndpoint(NAME);
    HttpResponse<String> registered =
        http.send(
            "POST",
            "/ms?ep=" + URLEncoder.encode(NAME, StandardCharsets.UTF_8).replace("+", "%20"),
            "application/jose",
            mote.registration(1, "</text>;title=\"<img src=x onerror=alert(1)>\""));
    assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
    entry = registered.headers().firstValue("Location").orElseThrow();
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private void say() {
    HttpResponse<String> stored =
        http.send("PUT", entry + "/text", "application/jose", mote.text("text", ++seq, TEXT));
    assertThat(stored.statusCode()).as(stored.body()).isIn(201, 204);
  }

  @Test
  void anArchiveHoldsNoFormulaAndNoForgedRow() {
    say();
    String csv = http.get("/api/endpoints/" + entry.substring(4) + "/export?format=csv").body();
    assertThat(csv).contains("'=cmd").doesNotContain("\n=cmd", ",=cmd", "\"=cmd");
    // Quoted cells may hold line breaks (RFC 4180); line breaks outside of them end rows.
    assertThat(csv.replaceAll("\"([^\"]|\"\")*\"", "Q").lines())
        .allMatch(row -> row.startsWith("ep,d,res,") || row.startsWith("Q,,text,"));
    String lines = http.get("/api/endpoints/" + entry.substring(4) + "/export?format=jsonl").body();
    assertThat(lines.lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    assertThat(lines).doesNotContain("\u0000", "\u001b");
  }

  @Test
  void anEventStreamHoldsNoForgedEvent() throws IOException {
    List<String> seen = new ArrayList<>();
    try (Socket events = RawHttp.connect(gateway.address("http"))) {
      RawHttp.send(events, "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      BufferedReader stream =
          new BufferedReader(
              new InputStreamReader(events.getInputStream(), StandardCharsets.UTF_8));
      assertThat(stream.readLine()).contains(" 200");
      // Of two changes that a stream has not sent yet, it sends the newer one.
      for (int i = 0; i < 2; i++) {
        say();
        String line;
        do {
          line = stream.readLine();
          seen.add(line);
        } while (!line.startsWith("data:"));
      }
    }
    assertThat(seen).noneMatch(line -> line.contains("evil") && !line.startsWith("data:"));
    assertThat(seen.stream().filter(line -> line.startsWith("event:")))
        .isNotEmpty()
        .allMatch(line -> line.equals("event:endpoint"));
  }

  @Test
  void metricsHoldNoForgedSeries() {
    say();
    http.send("PUT", entry + "/text", "application/jose", "not a jws");
    HttpResponse<String> metrics = http.get("/actuator/prometheus");
    assertThat(metrics.statusCode()).isEqualTo(200);
    assertThat(metrics.body().lines())
        .allMatch(
            line -> line.matches("#.*|[a-zA-Z_:][a-zA-Z0-9_:]*(\\{[ -~]*})? [-+.0-9eEINFaNn]+"));
    assertThat(metrics.body()).doesNotContain("evil", "\u001b");
  }

  @Test
  void answersThatShowTextsAreNoMarkup() {
    say();
    for (String path :
        List.of("/api/endpoints", "/api/keys", "/api/audit", entry + "/text", "/rd-lookup/ep")) {
      HttpResponse<String> answer = http.get(path);
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .as(path)
          .doesNotContain("html", "xml", "javascript");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
    HttpResponse<String> text = http.get(entry + "/text", "Accept", "text/plain");
    assertThat(text.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(text.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
  }
}
