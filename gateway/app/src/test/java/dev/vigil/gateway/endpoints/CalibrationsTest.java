package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.calibrations.CalibratedEndpoints;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calibrations of resources, which change what pages show and nothing else. */
@Timeout(120)
class CalibrationsTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String JSON = "application/json";
  private static final String BOARD = "/api/dashboards/hall";

  @TempDir static Path folder = Path.of("");

  /** The tests share it. */
  private static InProcessGateway gateway;

  private static HttpTestClient http;
  private static OperatorClient operator;
  private static int ovens;

  private final SleepyEndpoint oven = new SleepyEndpoint("oven-" + ++ovens);

  @BeforeAll
  static void start() {
    gateway = new InProcessGateway(folder, "--vigil.trust=first-use");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private String registered() {
    return registered(1);
  }

  /** The id of the oven, which has signed 21.5 degrees after a registration with a number. */
  private String registered(long seq) {
    String registration = oven.registration(seq, "</temp>;rt=\"t\"", "");
    String id =
        http.send("POST", "/ms", "application/jose", registration)
            .headers()
            .firstValue("Location")
            .orElseThrow()
            .substring("/ms/".length());
    http.send("PUT", "/ms/" + id + "/temp", "application/jose", oven.update("temp", seq + 1, 21.5));
    return id;
  }

  private static String path(String id) {
    return "/api/endpoints/" + id + "/calibrations";
  }

  private HttpResponse<String> put(String id, String items, String... headers) {
    HttpRequest.Builder request =
        http.to(path(id))
            .header("Authorization", "Bearer " + operator.token())
            .header("Content-Type", JSON)
            .PUT(HttpRequest.BodyPublishers.ofString("{\"calibrations\":[" + items + "]}"));
    return http.send(headers.length == 0 ? request : request.headers(headers));
  }

  private JsonNode resource(String id) {
    return operator.read("/api/endpoints/" + id).get("resources").get(0);
  }

  private JsonNode calibrations(String id) {
    return operator.read("/api/endpoints/" + id).get("calibrations");
  }

  @Test
  void aCalibrationIsShownKeptAndForgottenWithTheEndpoint() throws Exception {
    String id = registered();
    String given =
        "{\"path\":\"temp\",\"factor\":1.02,\"offset\":-0.3,\"unit\":\"K\","
            + "\"note\":\" Ice water \",\"date\":\"2026-11-03\"}";
    assertThat(operator.get(path(id)).body()).isEqualTo("{\"calibrations\":[]}");
    try (EventReader events =
        new EventReader(http, "Authorization", "Bearer " + operator.token())) {
      HttpResponse<String> made = put(id, given);
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
      assertThat(MAPPER.readTree(made.body()).get("calibrations").get(0).toString())
          .isEqualTo(given.replace(" Ice water ", "Ice water"));
      events.next("endpoint", one -> one.toString().contains("Ice water"));
    }
    assertThat(calibrations(id).get(0).get("factor").asDouble()).isEqualTo(1.02);
    assertThat(operator.get("/api/audit").body())
        .contains("calibrated oven", "endpoint-calibrations");

    stop();
    start();
    assertThat(calibrations(id).get(0).get("note").asString()).isEqualTo("Ice water");
    assertThat(put(id, "{\"path\":\"temp\"}").body())
        .contains("\"factor\":1.0", "\"offset\":0.0")
        .doesNotContain("unit", "note", "date", "name");
    assertThat(operator.send("DELETE", path(id), "", "").statusCode()).isEqualTo(204);
    assertThat(operator.send("DELETE", path(id), "", "").statusCode()).isEqualTo(204);
    assertThat(calibrations(id)).isEmpty();

    put(id, given);
    assertThat(operator.send("DELETE", "/api/endpoints/" + id, "", "").statusCode()).isEqualTo(204);
    assertThat(operator.get(path(id)).statusCode()).isEqualTo(404);
    CalibratedEndpoints stored = gateway.bean(CalibratedEndpoints.class);
    await().atMost(1, TimeUnit.MINUTES).until(() -> stored.of(id).isEmpty());
    assertThat(calibrations(registered(10))).isEmpty();
  }

  @Test
  void onlyTheNewestVersionIsReplaced() {
    String id = registered();
    String empty = operator.get(path(id)).headers().firstValue("ETag").orElseThrow();
    String one = "{\"path\":\"temp\",\"offset\":1}";
    assertThat(put(id, one, "If-Match", empty).statusCode()).isEqualTo(200);
    HttpResponse<String> late = put(id, one, "If-Match", empty);
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(late.body()).contains("changed meanwhile");
  }

  @Test
  void refusalsNameTheMember() {
    String id = registered();
    for (List<String> wrong :
        List.of(
            List.of("{}", "calibrations[0].path: is missing"),
            List.of("null", "calibrations[0]: is null"),
            List.of("{\"path\":\"temp\",\"factor\":0}", "calibrations[0].factor: takes"),
            List.of("{\"path\":\"temp\",\"factor\":1e999}", "factor: takes"),
            List.of("{\"path\":\"temp\",\"offset\":-1e999}", "calibrations[0].offset: takes"),
            List.of("{\"path\":\"temp\",\"date\":\"yesterday\"}", "calibrations"),
            List.of("{\"path\":\"temp\",\"unit\":\"" + "x".repeat(33) + "\"}", "more than 32"),
            List.of("{\"path\":\"temp\",\"note\":\"\\u202e\"}", "not shown"),
            List.of("{\"path\":\"temp\"},{\"path\":\"temp\"}", "calibrations[1].path: has"),
            List.of("{\"path\":\"t\"},".repeat(32) + "{\"path\":\"t\"}", "more than 32 items"))) {
      HttpResponse<String> answer = put(id, wrong.getFirst());
      assertThat(answer.statusCode()).as(wrong.getFirst()).isEqualTo(400);
      assertThat(answer.body()).contains(wrong.getLast());
    }
    assertThat(calibrations(id)).isEmpty();
  }

  @Test
  void valuesStayAsTheEndpointSignedThem() {
    String id = registered();
    String original = http.get("/ms/" + id + "/temp").body();
    String name = resource(id).get("name").asString();
    put(
        id,
        "{\"path\":\"temp\",\"factor\":2},{\"path\":\"temp\",\"name\":\"%s\",\"offset\":0.5}"
            .formatted(name));
    assertThat(resource(id).get("value").asDouble()).isEqualTo(21.5);
    assertThat(http.get("/ms/" + id + "/temp").body()).isEqualTo(original);
    assertThat(operator.get("/api/export").body()).contains("\"v\":21.5");

    String source = "\"sources\":[{\"endpoint\":\"" + id + "\",\"path\":\"temp\"}]";
    String tile = "{\"id\":\"%s\",\"kind\":\"%s\",\"x\":0,\"y\":0,\"w\":3,\"h\":2,%s%s}";
    String board =
        tile.formatted("value", "value", "", source)
            + ","
            + tile.formatted("chart", "chart", "\"span\":\"1h\",", source);
    operator.send("PUT", BOARD, JSON, "{\"tiles\":[" + board + "]}");
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> operator.get(BOARD + "/tiles?tile=chart").body().contains("\"measured\""));
    JsonNode contents = operator.read(BOARD + "/tiles");
    JsonNode value = contents.get("tiles").get(0).get("value");
    assertThat(value.get("value").asDouble()).isEqualTo(21.5);
    // The calibration of the record takes precedence over that of the resource.
    assertThat(value.get("calibration").get("offset").asDouble()).isEqualTo(0.5);
    JsonNode line = contents.get("tiles").get(1).get("chart").get("lines").get(0);
    assertThat(line.get("points").get(0).get("mean").asDouble()).isEqualTo(21.5);
    assertThat(line.get("calibration").get("offset").asDouble()).isEqualTo(0.5);
    assertThat(
            operator
                .read("/api/sparklines?endpoint=" + id)
                .get("sparklines")
                .get(0)
                .get("calibration")
                .get("name")
                .asString())
        .isEqualTo(name);
  }

  @Test
  void theContentsOfADashboardBringTheUnitsOfTheGateway() {
    operator.send("PUT", BOARD, JSON, "{\"tiles\":[]}");
    operator.send("PUT", "/api/display-units", JSON, "{\"chosen\":[\"degF\"]}");
    JsonNode units = operator.read(BOARD + "/tiles").get("units");
    assertThat(units).isEqualTo(operator.read("/api/display-units"));
    assertThat(units.get("chosen").toString()).isEqualTo("[\"degF\"]");
    assertThat(operator.read(BOARD + "/tiles?tile=a").has("units")).isFalse();
    operator.send("PUT", "/api/display-units", JSON, "{\"chosen\":[]}");
  }
}
