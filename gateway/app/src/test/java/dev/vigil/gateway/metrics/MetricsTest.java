package dev.vigil.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.coap.CoapTestClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metrics of a gateway with a radio, another directory and a webhook, against their document.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsTest {
  private static final String NAME = "counted-mote";
  private static final int JOSE = 65100;

  /** Metrics of associations, which this gateway does not have. */
  private static final String OF_OTHERS = "vigil_ipsec_(packets|octets|octets_saved|dropped).*";

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`vigil_[^|]*) \\| (counter|gauge|summary) \\| ([^|]*) ?\\|");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (vigil_\\w+) (\\w+)$");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^(vigil_\\w+)(?:\\{(.*)})? (\\S+)$");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;

  @BeforeAll
  void start() throws IOException {
    Path secret = folder.resolve("hook.secret");
    Files.writeString(secret, "the secret of a webhook");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.trust=first-use",
            "--vigil.anonymous-read=true",
            "--vigil.mirror.publish[0]=coap://127.0.0.1:9",
            "--vigil.northbound.webhook.shop.url=http://127.0.0.1:9/hook",
            "--vigil.northbound.webhook.shop.secret-file=" + secret,
            "--vigil.border.radios[0].kind=virtual",
            "--vigil.border.radios[0].port=0");
    http = new HttpTestClient(gateway.address("http"));
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private String scrape() {
    return http.get("/actuator/prometheus").body();
  }

  private double value(String series) {
    return SAMPLE
        .matcher(scrape())
        .results()
        .filter(
            sample ->
                (sample.group(2) == null
                        ? sample.group(1)
                        : sample.group(1) + "{" + sample.group(2) + "}")
                    .equals(series))
        .mapToDouble(sample -> Double.parseDouble(sample.group(3)))
        .findFirst()
        .orElseThrow();
  }

  /** The documented metrics with type and tags, as {@code counter direction, radio}. */
  private static Map<String, String> documented() throws IOException {
    Map<String, String> rows = new HashMap<>();
    ROW.matcher(Files.readString(Path.of("../../docs/metrics.md")))
        .results()
        .forEach(
            row -> {
              for (String name : codes(row.group(1))) {
                rows.put(name, row.group(2) + " " + String.join(", ", codes(row.group(3))));
              }
            });
    return rows;
  }

  private static Set<String> codes(String cell) {
    return CODE.matcher(cell)
        .results()
        .map(m -> m.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, String> exposed(String text) {
    Map<String, String> tags = new HashMap<>();
    for (MatchResult sample : SAMPLE.matcher(text).results().toList()) {
      String labels = sample.group(2) == null ? "" : sample.group(2);
      tags.put(
          sample.group(1).replaceFirst("(_seconds)_(count|sum)$", "$1"),
          Pattern.compile("(\\w+)=\"")
              .matcher(labels)
              .results()
              .map(m -> m.group(1))
              .sorted()
              .collect(Collectors.joining(", ")));
    }
    return TYPE.matcher(text)
        .results()
        .collect(Collectors.toMap(m -> m.group(1), m -> m.group(2) + " " + tags.get(m.group(1))));
  }

  @Test
  void theDocumentListsEveryMetricWithItsTypeAndTags() throws IOException {
    Map<String, String> expected = documented();
    expected.keySet().removeIf(name -> name.matches(OF_OTHERS));
    assertThat(exposed(scrape())).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void noSeriesNamesAnEndpoint() {
    http.register(new SleepyEndpoint(NAME), 1, "</temp>;rt=\"t\"");
    assertThat(http.get("/api/endpoints?ep=" + NAME).body()).contains(NAME);
    assertThat(scrape()).doesNotContain(NAME);
  }

  @Test
  void requestsChangeTheFiguresOfMirrorDirectoryAndCoap() {
    SleepyEndpoint mote = new SleepyEndpoint("figures");
    String updates = "vigil_mirror_accepted_total{kind=\"update\"}";
    String forged = "vigil_mirror_rejected_total{reason=\"bad_signature\"}";
    String puts = "vigil_requests_total{class=\"2\",route=\"/ms/*\"}";
    String[] all = {updates, forged, puts};
    double[] before = Arrays.stream(all).mapToDouble(this::value).toArray();
    try (CoapTestClient coap = new CoapTestClient(gateway.address("coap"))) {
      String entry = http.register(mote, 1, "</temp>;rt=\"t\"");
      assertThat(coap.put(entry + "/temp", mote.update("temp", 2, 20), JOSE).code())
          .isEqualTo("2.01");
      String wrong = new SleepyEndpoint("figures").update("temp", 3, 20);
      String right = mote.update("temp", 3, 20);
      String mixed =
          right.substring(0, right.lastIndexOf('.')) + wrong.substring(wrong.lastIndexOf('.'));
      assertThat(coap.put(entry + "/temp", mixed, JOSE).code()).isEqualTo("4.01");
    }
    double[] after = Arrays.stream(all).mapToDouble(this::value).toArray();
    assertThat(after[0] - before[0]).isEqualTo(1);
    assertThat(after[1] - before[1]).isEqualTo(1);
    assertThat(after[2] - before[2]).isEqualTo(1);
    assertThat(value("vigil_mirror_endpoints{freshness=\"on_time\",trust=\"trusted\"}"))
        .isPositive();
    assertThat(value("vigil_coap_datagrams_total{scheme=\"coap\"}")).isPositive();
    assertThat(value("vigil_mirror_verification_seconds_sum")).isPositive();
    assertThat(value("vigil_store_commit_seconds_sum")).isPositive();
    assertThat(value("vigil_store_size_bytes")).isPositive();
    assertThat(value("vigil_disk_free_bytes")).isPositive();
  }

  @Test
  void livenessAndReadinessAreSeparate() {
    for (String group : Stream.of("", "/liveness", "/readiness").toList()) {
      assertThat(http.get("/actuator/health" + group).statusCode()).as(group).isEqualTo(200);
    }
    // The directory at port 9 never answers, but a degraded gateway stays in service.
    assertThat(http.get("/actuator/health/liveness").body()).contains("UP");
    assertThat(http.get("/actuator/health/other").statusCode()).isEqualTo(404);
  }

  @Test
  void inventedMethodsAndPathsMakeNoSeries() {
    for (int i = 0; i < 50; i++) {
      http.send("INVENTED" + i, "/invented-path-" + i, "text/plain", "");
      http.get("/api/invented-path-" + i);
      http.get("/rd-lookup/invented-path-" + i);
    }
    assertThat(scrape()).contains("http_server_requests").doesNotContainIgnoringCase("invented");
  }
}
