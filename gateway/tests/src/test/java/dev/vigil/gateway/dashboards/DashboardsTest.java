package dev.vigil.gateway.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.http.RawHttp;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dashboards, the contents of their tiles, and sparklines. */
@Timeout(120)
class DashboardsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String JSON = "application/json";
  private static final String HALL = "/api/dashboards/hall";

  @TempDir static Path folder = Path.of("");

  /** The tests share it. */
  private static InProcessGateway gateway;

  private static HttpTestClient http;
  private static OperatorClient operator;
  private static int tokens;

  @BeforeAll
  static void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.trust=first-use",
            "--vigil.domains.plant.trust=first-use",
            "--vigil.domains.office.trust=first-use");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @AfterEach
  void removeDashboards() {
    for (JsonNode one : operator.read("/api/dashboards").get("dashboards")) {
      String path = "/api/dashboards/" + one.get("id").asString();
      assertThat(operator.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
    }
  }

  private String register(SleepyEndpoint mote, String d) {
    String registration = mote.registration(1, "</temp>;rt=\"t\"", d);
    HttpResponse<String> answer = http.send("POST", "/ms", "application/jose", registration);
    return answer.headers().firstValue("Location").orElseThrow().substring("/ms/".length());
  }

  private void measure(SleepyEndpoint mote, String id, long seq, double value) {
    HttpResponse<String> answer =
        http.send(
            "PUT", "/ms/" + id + "/temp", "application/jose", mote.update("temp", seq, value));
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 204);
  }

  private HttpResponse<String> put(String token, String path, String body, String... headers) {
    HttpRequest.Builder request =
        http.to(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", JSON)
            .PUT(HttpRequest.BodyPublishers.ofString(body));
    return http.send(headers.length == 0 ? request : request.headers(headers));
  }

  private HttpResponse<String> put(String tiles) {
    return put(operator.token(), HALL, "{\"name\":\"Hall 3\",\"tiles\":[" + tiles + "]}");
  }

  private static String tile(String id, String kind, String members) {
    return "{\"id\":\"%s\",\"kind\":\"%s\",\"x\":0,\"y\":0,\"w\":3,\"h\":2%s%s}"
        .formatted(id, kind, members.isEmpty() ? "" : ",", members);
  }

  private static String source(String id) {
    return "\"sources\":[{\"endpoint\":\"%s\",\"path\":\"temp\"}]".formatted(id);
  }

  private String token(String role) {
    String name = role.replace(':', '.') + "-" + ++tokens;
    String body = "{\"name\":\"%s\",\"roles\":[\"%s\"]}".formatted(name, role);
    return MAPPER
        .readTree(operator.send("POST", "/api/tokens", JSON, body).body())
        .get("token")
        .asString();
  }

  private Map<String, JsonNode> contents(String token, String query) {
    HttpResponse<String> answer =
        http.get(HALL + "/tiles" + query, "Authorization", "Bearer " + token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Map<String, JsonNode> tiles = new LinkedHashMap<>();
    MAPPER
        .readTree(answer.body())
        .get("tiles")
        .forEach(tile -> tiles.put(tile.get("tile").asString(), tile));
    return tiles;
  }

  private static JsonNode tile(Map<String, JsonNode> tiles, String tile) {
    return Objects.requireNonNull(tiles.get(tile), tile);
  }

  private static String sight(Map<String, JsonNode> tiles, String tile) {
    JsonNode content = tiles.get(tile);
    return content == null ? "absent" : content.get("sight").asString();
  }

  /** The aggregates follow the feed. */
  private static boolean hasPoints(Map<String, JsonNode> tiles, int lines) {
    JsonNode chart = tiles.get("chart");
    return chart != null
        && chart
                .get("chart")
                .get("lines")
                .valueStream()
                .filter(one -> !one.get("points").isEmpty())
                .count()
            == lines;
  }

  @Test
  void aDashboardIsKeptAndChangedOnlyOnItsNewestVersion() {
    HttpResponse<String> made = put(tile("a", "text", "\"text\":\"Shift 2\\nLine 1\""));
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    String version = made.headers().firstValue("ETag").orElseThrow();
    String again = "{\"name\":\"Hall 4\",\"tiles\":[]}";
    assertThat(put(operator.token(), HALL, again, "If-Match", version).statusCode()).isEqualTo(200);
    HttpResponse<String> late = put(operator.token(), HALL, again, "If-Match", version);
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(operator.get("/api/audit").body())
        .contains("made dashboard hall", "changed dashboard hall");
    stop();
    start();
    JsonNode kept = operator.read(HALL);
    assertThat(kept.get("name").asString()).isEqualTo("Hall 4");
    // An answer can be sent back unchanged.
    assertThat(put(operator.token(), HALL, kept.toString()).statusCode()).isEqualTo(200);
    assertThat(operator.send("DELETE", HALL, "", "").statusCode()).isEqualTo(204);
    assertThat(operator.get(HALL).statusCode()).isEqualTo(404);
  }

  @Test
  void aSlowRequestDoesNotReplaceADashboardOfAnotherDomain() throws IOException {
    String ofPlant = token("operator:plant");
    String ofOffice = token("operator:office");
    String body = "{\"name\":\"%1$s\",\"d\":\"%1$s\",\"tiles\":[]}";
    String slowBody = body.formatted("plant");
    try (Socket slow = RawHttp.beginPut(gateway.address("http"), HALL, ofPlant, slowBody)) {
      assertThat(put(ofOffice, HALL, body.formatted("office")).statusCode()).isEqualTo(200);
      assertThat(RawHttp.endPut(slow, slowBody).status()).isEqualTo(403);
    }
    assertThat(operator.read(HALL).get("name").asString()).isEqualTo("office");
  }

  @Test
  void conditionsSayWhetherADashboardMustExist() {
    String body = "{\"name\":\"Hall 5\",\"tiles\":[]}";
    String token = operator.token();
    HttpResponse<String> absent = put(token, HALL, body, "If-Match", "*");
    assertThat(absent.statusCode()).isEqualTo(412);
    assertThat(absent.body()).contains("/problems/changed-meanwhile");
    assertThat(operator.get(HALL).statusCode()).isEqualTo(404);
    assertThat(put(token, HALL, body, "If-None-Match", "*").statusCode()).isEqualTo(200);
    assertThat(put(token, HALL, body, "If-None-Match", "*").statusCode()).isEqualTo(412);
    assertThat(put(token, HALL, body, "If-Match", "\"0\"").statusCode()).isEqualTo(412);
    assertThat(put(token, HALL, body, "If-Match", "*").statusCode()).isEqualTo(200);
    String other = "/api/dashboards/other";
    assertThat(put(token, other, body, "If-Match", "\"0\"").statusCode()).isEqualTo(200);
  }

  @Test
  void refusalsNameTheMember() {
    HttpResponse<String> answer = put(tile("a", "text", ""));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("/problems/invalid-body", "tiles[0].text: is missing");
    assertThat(put(tile("a", "chart", source("x") + ",\"span\":\"2h\"")).body())
        .contains("span", "takes one of 1h");
    assertThat(operator.get(HALL).statusCode()).isEqualTo(404);
  }

  @Test
  void tilesShowWhatTheirViewerMayRead() {
    SleepyEndpoint oven = new SleepyEndpoint("oven");
    SleepyEndpoint desk = new SleepyEndpoint("desk");
    String ovenId = register(oven, "plant");
    String deskId = register(desk, "office");
    measure(oven, ovenId, 2, 180.5);
    measure(desk, deskId, 2, 21);
    for (String id : List.of(ovenId, deskId)) {
      operator.send("PUT", "/api/endpoints/" + id + "/tags", JSON, "{\"tags\":[\"warm\"]}");
    }
    operator.send("PUT", "/api/endpoints/" + ovenId + "/label", JSON, "{\"name\":\"Oven 7\"}");
    String chart =
        "\"span\":\"1h\",\"sources\":[{\"endpoint\":\"%s\",\"path\":\"temp\"},"
            + "{\"endpoint\":\"%s\",\"path\":\"temp\"}]";
    HttpResponse<String> made =
        put(
            String.join(
                ",",
                tile("oven", "value", source(ovenId)),
                tile("desk", "value", source(deskId)),
                tile("state", "state", "\"sources\":[{\"endpoint\":\"" + deskId + "\"}]"),
                tile("chart", "chart", chart.formatted(ovenId, deskId)),
                tile("warm", "tag", "\"tag\":\"warm\""),
                tile("gone", "value", source("zzzz")),
                tile("mesh", "mesh", ""),
                tile("text", "text", "\"text\":\"Hello\"")));
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);

    await().atMost(LONG).until(() -> hasPoints(contents(operator.token(), "?tile=chart"), 2));
    Map<String, JsonNode> all = contents(operator.token(), "");
    assertThat(tile(all, "oven").get("value").get("value").asDouble()).isEqualTo(180.5);
    assertThat(tile(all, "oven").get("endpoints").get(0).get("name").asString())
        .isEqualTo("Oven 7");
    assertThat(tile(all, "warm").get("counts").get("on-time").asInt()).isEqualTo(2);
    assertThat(tile(all, "state").get("endpoints").get(0).get("freshness").asString())
        .isEqualTo("on-time");
    JsonNode lines = tile(all, "chart").get("chart").get("lines");
    assertThat(lines.get(0).get("points").get(0).get("mean").asDouble()).isEqualTo(180.5);
    assertThat(lines.get(1).get("points").get(0).get("mean").asDouble()).isEqualTo(21);
    assertThat(sight(all, "gone")).isEqualTo("gone");
    assertThat(sight(all, "mesh")).isEqualTo("gone");
    assertThat(sight(all, "text")).isEqualTo("shown");
    assertThat(contents(operator.token(), "?tile=oven&tile=text").keySet())
        .containsExactly("oven", "text");

    Map<String, JsonNode> ofPlant = contents(token("viewer:plant"), "");
    assertThat(sight(ofPlant, "oven")).isEqualTo("shown");
    assertThat(sight(ofPlant, "desk")).isEqualTo("no-right");
    assertThat(sight(ofPlant, "state")).isEqualTo("no-right");
    assertThat(sight(ofPlant, "mesh")).isEqualTo("no-right");
    assertThat(tile(ofPlant, "warm").get("counts").get("on-time").asInt()).isEqualTo(1);
    JsonNode plantLines = tile(ofPlant, "chart").get("chart").get("lines");
    assertThat(plantLines.get(0).get("points")).hasSize(1);
    assertThat(plantLines.get(1).get("sight").asString()).isEqualTo("no-right");
    assertThat(plantLines.get(1).get("points")).isEmpty();
    assertThat(ofPlant.toString()).doesNotContain("desk/temp", "\"name\":\"desk\"");
  }

  @Test
  void aDomainLimitsWhatItsDashboardShows() {
    SleepyEndpoint desk = new SleepyEndpoint("desk-of-office");
    String deskId = register(desk, "office");
    measure(desk, deskId, 2, 21);
    String body = "{\"d\":\"plant\",\"tiles\":[" + tile("desk", "value", source(deskId)) + "]}";
    String ofPlant = token("operator:plant");
    assertThat(put(ofPlant, HALL, "{\"tiles\":[]}").statusCode()).isEqualTo(403);
    assertThat(put(ofPlant, HALL, body).statusCode()).isEqualTo(200);
    assertThat(put(token("viewer:plant"), HALL, body).statusCode()).isEqualTo(403);
    assertThat(put(token("operator:office"), HALL, body).statusCode()).isEqualTo(403);
    // The operator of all domains may read the desk, but the dashboard may not show it.
    assertThat(sight(contents(operator.token(), ""), "desk")).isEqualTo("no-right");
    HttpResponse<String> other =
        http.get(HALL, "Authorization", "Bearer " + token("viewer:office"));
    assertThat(other.statusCode()).isEqualTo(404);
  }

  @Test
  void eventsNameChangedTilesThatTheViewerMayRead() throws Exception {
    SleepyEndpoint oven = new SleepyEndpoint("oven-with-events");
    SleepyEndpoint desk = new SleepyEndpoint("desk-with-events");
    String ovenId = register(oven, "plant");
    String deskId = register(desk, "office");
    measure(oven, ovenId, 2, 180);
    measure(desk, deskId, 2, 21);
    put(tile("oven", "value", source(ovenId)) + "," + tile("desk", "value", source(deskId)));
    try (EventReader events =
        new EventReader(
            HALL + "/events", http, "Authorization", "Bearer " + token("viewer:plant"))) {
      measure(desk, deskId, 3, 22);
      measure(oven, ovenId, 3, 181);
      assertThat(events.next("tiles").toString()).isEqualTo("{\"tiles\":[\"oven\"]}");
      operator.send("PUT", "/api/endpoints/" + ovenId + "/label", JSON, "{\"name\":\"Oven\"}");
      assertThat(events.next("tiles").toString()).isEqualTo("{\"tiles\":[\"oven\"]}");
      put(tile("oven", "value", source(ovenId)));
      events.next("dashboard");
    }
  }

  @Test
  void sparklinesHaveTheHoursOfReadableEndpoints() {
    SleepyEndpoint oven = new SleepyEndpoint("oven-with-sparklines");
    SleepyEndpoint desk = new SleepyEndpoint("desk-with-sparklines");
    String ovenId = register(oven, "plant");
    String deskId = register(desk, "office");
    measure(oven, ovenId, 2, 180);
    measure(desk, deskId, 2, 21);
    String query =
        "/api/sparklines?endpoint=%s&endpoint=%s&endpoint=zzzz".formatted(ovenId, deskId);
    await().atMost(LONG).until(() -> operator.read(query).get("sparklines").size() == 2);
    JsonNode found =
        MAPPER
            .readTree(http.get(query, "Authorization", "Bearer " + token("viewer:plant")).body())
            .get("sparklines");
    assertThat(found).hasSize(1);
    assertThat(found.get(0).get("endpoint").asString()).isEqualTo(ovenId);
    assertThat(found.get(0).get("points").get(0).get("mean").asDouble()).isEqualTo(180);
    String many = "/api/sparklines?endpoint=a" + "&endpoint=a".repeat(100);
    assertThat(operator.get(many).statusCode()).isEqualTo(400);
  }
}
