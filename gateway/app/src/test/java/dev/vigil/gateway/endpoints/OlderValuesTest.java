package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.cli.verify.VerifyCommand;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Signed values that are no longer among the newest of their resource. */
class OlderValuesTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int VALUES = 450;
  private static final long START = 1_763_640_000;

  @TempDir Path folder = Path.of("");

  private InProcessGateway gateway(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--vigil.trust=first-use",
                "--vigil.anonymous-read=true",
                "--vigil.default-domain.limits.updates-per-minute=100000"));
    arguments.addAll(List.of(more));
    return new InProcessGateway(folder, arguments.toArray(String[]::new));
  }

  private static void fill(HttpTestClient http, SleepyEndpoint sleeper, String entry) {
    for (int i = 0; i < VALUES; i++) {
      String update = sleeper.measured("temp", 2 + i, i, START + 2L * i);
      assertThat(http.send("PUT", entry + "/temp", "application/jose", update).statusCode())
          .isIn(201, 204);
    }
  }

  private static String api(String entry) {
    return "/api/endpoints/" + entry.substring("/ms/".length());
  }

  private static List<Long> numbers(HttpTestClient http, String history) {
    List<Long> numbers = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = JSON.readTree(http.get(history + after).body());
      page.get("values").forEach(value -> numbers.add(value.get("seq").asLong()));
      after = page.has("next") ? "&after=" + page.get("next").asString() : "";
    } while (!after.isEmpty());
    return numbers;
  }

  @Test
  void historyChartExportAndVerificationReachBackToTheFirstValue() throws IOException {
    SleepyEndpoint sleeper = new SleepyEndpoint("lasting");
    List<Long> all = LongStream.range(2, VALUES + 2).boxed().toList();
    String entry;
    try (InProcessGateway first = gateway()) {
      HttpTestClient http = new HttpTestClient(first.address("http"));
      entry = http.register(sleeper, 1, "</temp>");
      fill(http, sleeper, entry);
      assertThat(numbers(http, api(entry) + "/resources/temp/history?limit=70")).isEqualTo(all);
    }
    try (InProcessGateway second = gateway()) {
      HttpTestClient http = new HttpTestClient(second.address("http"));
      String history = api(entry) + "/resources/temp/history";
      assertThat(numbers(http, history + "?limit=70")).isEqualTo(all);
      assertThat(numbers(http, history + "?limit=70&order=newest")).isEqualTo(all.reversed());
      assertThat(numbers(http, history + "?from=" + (START + 100) + "&to=" + (START + 104)))
          .containsExactly(52L, 53L);
      JsonNode chart = JSON.readTree(http.get(history + "?bucket=10s").body());
      assertThat(chart.get("resolution").asString()).isEqualTo("values");
      assertThat(chart.get("valuesSince").asString()).isEqualTo("2025-11-20T12:00:00Z");
      assertThat(chart.get("series").get(0).get("buckets")).hasSize(VALUES / 5);

      Path archive = folder.resolve("lasting.jsonl");
      Files.writeString(archive, http.get(api(entry) + "/export").body());
      assertThat(Files.readAllLines(archive)).hasSize(VALUES);
      assertThat(verify(archive)).isZero();
      String page = http.get(entry + "/temp?after=100&limit=20").body();
      assertThat(page.split(",")).hasSize(20);
    }
  }

  private static int verify(Path archive) {
    return new CommandLine(new VerifyCommand()).execute(archive.toString());
  }

  @Test
  void forgettingAnEndpointRemovesItsOlderValues() {
    SleepyEndpoint sleeper = new SleepyEndpoint("forgotten");
    try (InProcessGateway gateway = gateway()) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      String entry = http.register(sleeper, 1, "</temp>");
      fill(http, sleeper, entry);
      assertThat(operator.send("DELETE", api(entry), "", "").statusCode()).isEqualTo(204);
      String again = http.register(sleeper, VALUES + 100, "</temp>");
      http.send(
          "PUT", again + "/temp", "application/jose", sleeper.update("temp", VALUES + 101, 1));
      assertThat(numbers(http, api(again) + "/resources/temp/history?limit=70"))
          .containsExactly(VALUES + 101L);
    }
  }

  @Test
  void aDomainThatLimitsTheNumberKeepsNoOlderValues() {
    SleepyEndpoint sleeper = new SleepyEndpoint("few");
    try (InProcessGateway gateway = gateway("--vigil.default-domain.history=30")) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      String entry = http.register(sleeper, 1, "</temp>");
      fill(http, sleeper, entry);
      assertThat(numbers(http, api(entry) + "/resources/temp/history?limit=70")).hasSize(30);
    }
  }
}
