package dev.vigil.gateway.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.http.RawHttp;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Alarms from a value to the API, the event stream and the metrics. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class AlarmsApiTest {
  private static final String JSON = "application/json";
  private static final String HOT =
      "{\"kind\":\"value\",\"name\":\"too hot\",\"severity\":\"critical\",\"path\":\"temp\","
          + "\"ep\":\"oven-*\",\"above\":30,\"hysteresis\":2,\"unit\":\"Cel\"}";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private OperatorClient operator;
  private HttpTestClient anybody;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.trust=first-use",
            "--vigil.anonymous-read=true",
            "--vigil.domains.closed.read=account:somebody",
            "--vigil.domains.plant.trust=first-use");
    operator = new OperatorClient(gateway);
    anybody = new HttpTestClient(gateway.address("http"));
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private String register(SleepyEndpoint sleeper, String d, double value) {
    HttpResponse<String> registered =
        anybody.send("POST", "/ms", "application/jose", sleeper.registration(1, "</temp>;rt=t", d));
    String entry = registered.headers().firstValue("Location").orElseThrow();
    put(entry, sleeper, 2, value);
    return entry;
  }

  private void put(String entry, SleepyEndpoint sleeper, long seq, double value) {
    HttpResponse<String> put =
        anybody.send(
            "PUT", entry + "/temp", "application/jose", sleeper.update("temp", seq, value));
    assertThat(put.statusCode()).as(put.body()).isIn(201, 204);
  }

  private JsonNode await(String path, Predicate<JsonNode> wanted) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      JsonNode answer = operator.read(path).get("alarms");
      if (wanted.test(answer) || System.nanoTime() > end) {
        return answer;
      }
      // The rules are evaluated four times a second.
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private HttpResponse<String> put(String id, String rule, String... headers) {
    return putAs(operator.token(), id, rule, headers);
  }

  private HttpResponse<String> putAs(String token, String id, String rule, String... headers) {
    HttpRequest.Builder request =
        anybody
            .to("/api/alarm-rules/" + id)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", JSON)
            .PUT(HttpRequest.BodyPublishers.ofString(rule));
    return anybody.send(headers.length == 0 ? request : request.headers(headers));
  }

  @Test
  @Order(1)
  void aValueOverItsLimitRaisesAnAlarmThatIsAcknowledgedAndCleared() throws Exception {
    try (Events events = new Events()) {
      assertThat(put("too-hot", HOT).statusCode()).isEqualTo(200);
      SleepyEndpoint oven = new SleepyEndpoint("oven-1");
      String entry = register(oven, "", 31);
      JsonNode alarm = await("/api/alarms?state=open&rule=too-hot", list -> !list.isEmpty()).get(0);
      assertThat(alarm.get("text").asString()).isEqualTo("temp of oven-1 is 31 °C, above 30 °C");
      assertThat(alarm.get("texts").get("de").asString())
          .isEqualTo("temp von oven-1 ist 31 °C, über 30 °C");
      assertThat(alarm.get("severity").asString()).isEqualTo("critical");
      assertThat(alarm.get("ep").asString()).isEqualTo("oven-1");
      String id = alarm.get("id").asString();
      assertThat(events.next("alarm").get("id").asString()).isEqualTo(id);
      HttpResponse<String> acknowledged =
          operator.send("POST", "/api/alarms/" + id + "/acknowledge", JSON, "{\"note\":\"fan\"}");
      assertThat(acknowledged.statusCode()).as(acknowledged.body()).isEqualTo(200);
      JsonNode known = operator.read("/api/alarms/" + id);
      assertThat(known.get("state").asString()).isEqualTo("acknowledged");
      assertThat(known.get("acknowledged").get("by").asString()).isEqualTo("account:operator");
      assertThat(known.get("acknowledged").get("note").asString()).isEqualTo("fan");
      assertThat(events.next("alarm").get("state").asString()).isEqualTo("acknowledged");
      put(entry, oven, 3, 29);
      put(entry, oven, 4, 27);
      await("/api/alarms?state=cleared", list -> !list.isEmpty());
      assertThat(operator.read("/api/alarms/" + id).get("state").asString()).isEqualTo("cleared");
      String audit = operator.get("/api/audit").body();
      assertThat(audit).contains("acknowledged alarm " + id, "made alarm rule too-hot");
    }
  }

  @Test
  @Order(2)
  void alarmsOfAClosedDomainAreShownToItsReadersOnly() throws Exception {
    register(new SleepyEndpoint("oven-2"), "closed", 40);
    JsonNode alarm = await("/api/alarms?d=closed", list -> !list.isEmpty()).get(0);
    String id = alarm.get("id").asString();
    assertThat(anybody.get("/api/alarms").body()).doesNotContain("oven-2").contains("oven-1");
    assertThat(anybody.get("/api/alarms?d=closed").statusCode()).isEqualTo(401);
    assertThat(anybody.get("/api/alarms/" + id).statusCode()).isEqualTo(404);
    for (String action : new String[] {"acknowledge", "silence"}) {
      assertThat(
              anybody
                  .send("POST", "/api/alarms/" + id + "/" + action, JSON, "{\"seconds\":5}")
                  .statusCode())
          .isEqualTo(401);
    }
    assertThat(
            anybody
                .send("PUT", "/api/alarm-rules/mine", JSON, "{\"kind\":\"missing\"}")
                .statusCode())
        .isEqualTo(401);
    assertThat(anybody.send("DELETE", "/api/alarm-rules/too-hot", JSON, "").statusCode())
        .isEqualTo(401);
  }

  @Test
  @Order(3)
  void aSilencedAlarmSaysSoUntilTheSilenceEnds() throws Exception {
    JsonNode alarm = await("/api/alarms?d=closed&state=open", list -> !list.isEmpty()).get(0);
    String id = alarm.get("id").asString();
    String path = "/api/alarms/" + id + "/silence";
    HttpResponse<String> silence =
        operator.send("POST", path, JSON, "{\"seconds\":3600,\"scope\":\"domain\"}");
    assertThat(silence.statusCode()).as(silence.body()).isEqualTo(201);
    assertThat(operator.read("/api/alarms/" + id).get("silenced").asBoolean()).isTrue();
    JsonNode one = operator.read("/api/alarm-silences").get("silences").get(0);
    assertThat(one.get("d").asString()).isEqualTo("closed");
    String end = "/api/alarm-silences/" + one.get("id").asString();
    assertThat(operator.send("DELETE", end, "", "").statusCode()).isEqualTo(204);
    assertThat(operator.read("/api/alarms/" + id).get("silenced").asBoolean()).isFalse();
    for (String wrong :
        new String[] {"{}", "{\"seconds\":0}", "{\"seconds\":9,\"scope\":\"all\"}", "[]", "x"}) {
      assertThat(operator.send("POST", path, JSON, wrong).statusCode()).as(wrong).isEqualTo(400);
    }
  }

  @Test
  @Order(4)
  void aWrongRuleIsRefusedWithTheNameOfTheMember() {
    String[][] cases = {
      {"{}", "kind: is missing"},
      {"{\"kind\":\"cold\"}", "kind of the body takes one of missing, value"},
      {"{\"kind\":\"value\"}", "above: is missing; above or below is needed"},
      {"{\"kind\":\"value\",\"above\":\"x\"}", "above of the body has the wrong type"},
      {"{\"kind\":\"value\",\"above\":1,\"below\":2}", "below: must be less than above"},
      {"{\"kind\":\"value\",\"above\":1,\"hysteresis\":-1}", "hysteresis: takes 0 or more"},
      {"{\"kind\":\"battery\",\"below\":1,\"unit\":\"Cel\"}", "unit: takes %EL or V"},
      {"{\"kind\":\"missing\",\"above\":1}", "above: does not apply"},
      {"{\"kind\":\"disk\",\"below\":1,\"d\":\"x\"}", "d: rules of kind disk"},
      {"{\"kind\":\"missing\",\"tags\":[\"a,b\"]}", "tags: a tag holds a comma"},
      {"{\"kind\":\"disk\",\"below\":1,\"tags\":[\"x\"]}", "tags: do not apply"},
      {"{\"kind\":\"rejections\",\"above\":1,\"ep\":\"\",\"tags\":[\"x\"]}", "tags: need ep"},
      {"{\"kind\":\"missing\",\"colour\":1}", "unknown member colour: it takes above"},
      {"{\"%s\":1}".formatted("x".repeat(101)), "the body has an unknown member: it takes above"},
      {"{\"kind\":\"missing\",\"severity\":\"loud\"}", "severity of the body takes one of"},
      {"{\"kind\":\"missing\",\"holdSeconds\":-1}", "holdSeconds: takes 0"},
      {"nonsense", "the body is not valid JSON"}
    };
    for (String[] wrong : cases) {
      HttpResponse<String> refused = put("wrong", wrong[0]);
      assertThat(refused.statusCode()).as(wrong[0]).isEqualTo(400);
      assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(refused.body()).as(wrong[0]).contains(wrong[1]);
    }
    assertThat(operator.get("/api/alarm-rules/wrong").statusCode()).isEqualTo(404);
    for (String query : new String[] {"state=loud", "kind=x", "severity=x", "limit=0", "after=!"}) {
      HttpResponse<String> refused = operator.get("/api/alarms?" + query);
      assertThat(refused.statusCode()).as(query).isEqualTo(400);
      assertThat(refused.body())
          .as(query)
          .contains(
              query.startsWith("after")
                  ? "/problems/invalid-cursor"
                  : "/problems/invalid-parameter");
    }
  }

  @Test
  @Order(5)
  void anEditOfAnOldVersionIsRefused() {
    HttpResponse<String> read = operator.get("/api/alarm-rules/too-hot");
    String tag = read.headers().firstValue("ETag").orElseThrow();
    String hotter = HOT.replace("30", "35");
    assertThat(put("too-hot", hotter, "If-Match", tag).statusCode()).isEqualTo(200);
    HttpResponse<String> late = put("too-hot", HOT, "If-Match", tag);
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(late.body()).contains("read it again");
    assertThat(operator.read("/api/alarm-rules/too-hot").get("above").asDouble()).isEqualTo(35);
  }

  @Test
  @Order(6)
  void aDefaultRuleCanBeTurnedOffAndRestored() {
    JsonNode before = operator.read("/api/alarm-rules/missing");
    assertThat(before.get("source").asString()).isEqualTo("default");
    assertThat(operator.send("DELETE", "/api/alarm-rules/missing", "", "").statusCode())
        .isEqualTo(409);
    String off = "{\"kind\":\"missing\",\"enabled\":false}";
    assertThat(put("missing", off, "If-None-Match", "*").statusCode()).isEqualTo(412);
    assertThat(put("missing", off, "If-Match", "*").statusCode()).isEqualTo(200);
    assertThat(operator.read("/api/alarm-rules/missing").get("source").asString())
        .isEqualTo("store");
    assertThat(put("missing", HOT).statusCode()).as("another kind").isEqualTo(409);
    assertThat(operator.send("DELETE", "/api/alarm-rules/missing", "", "").statusCode())
        .isEqualTo(204);
    assertThat(operator.read("/api/alarm-rules/missing")).isEqualTo(before);
  }

  @Test
  void theKindsOfAlarmsAreListedWithLimitsDefaultsAndTexts() {
    Map<String, JsonNode> kinds = new HashMap<>();
    operator
        .read("/api/alarm-kinds")
        .get("kinds")
        .forEach(kind -> kinds.put(kind.get("kind").asString(), kind));
    assertThat(kinds).containsKeys("missing", "value", "battery", "disk", "northbound");
    JsonNode disk = Objects.requireNonNull(kinds.get("disk"));
    assertThat(disk.get("watches").asString()).isEqualTo("gateway");
    assertThat(disk.get("below").asString()).isEqualTo("needed");
    assertThat(disk.has("above")).isFalse();
    assertThat(disk.get("defaultRule")).isEqualTo(operator.read("/api/alarm-rules/disk"));
    assertThat(disk.get("texts").get("en").get("measure").asString()).isEqualTo("percent free");
    assertThat(disk.get("texts").get("de").get("name").asString()).isEqualTo("Platte fast voll");
    JsonNode battery = Objects.requireNonNull(kinds.get("battery"));
    assertThat(battery.get("units").toString()).isEqualTo("[\"%EL\",\"V\"]");
    assertThat(battery.has("defaultRule")).isFalse();
    assertThat(anybody.get("/api/alarm-kinds").statusCode()).as("reads anonymously").isEqualTo(200);
  }

  @Test
  @Order(7)
  void removingARuleClearsItsAlarmsAndMetricsCountThem() throws Exception {
    assertThat(operator.get("/actuator/prometheus").body())
        .contains("vigil_alarms{")
        .containsPattern(
            "vigil_alarms\\{kind=\"value\",severity=\"critical\",state=\"active\"\\} 1");
    assertThat(operator.send("DELETE", "/api/alarm-rules/too-hot", "", "").statusCode())
        .isEqualTo(204);
    assertThat(await("/api/alarms?state=open&kind=value", JsonNode::isEmpty)).isEmpty();
    JsonNode first = operator.read("/api/alarms?kind=value&limit=1");
    assertThat(first.get("alarms").get(0).get("ep").asString()).isEqualTo("oven-2");
    JsonNode second =
        operator.read("/api/alarms?kind=value&limit=1&after=" + first.get("next").asString());
    assertThat(second.get("alarms").get(0).get("ep").asString()).isEqualTo("oven-1");
    assertThat(second.has("next")).isFalse();
  }

  @Test
  @Order(8)
  void aRuleWithTagsWatchesEndpointsWhileTheyHaveThem() throws Exception {
    String rule = "{\"kind\":\"value\",\"above\":30,\"tags\":[\"kiln\"]}";
    HttpResponse<String> made = put("kilns", rule);
    assertThat(made.body()).contains("\"tags\":[\"kiln\"]");
    String entry = register(new SleepyEndpoint("kiln-1"), "", 50);
    register(new SleepyEndpoint("kiln-2"), "", 60);
    String tags = "/api/endpoints/" + entry.substring("/ms/".length()) + "/tags";
    String open = "/api/alarms?state=open&rule=kilns";

    assertThat(operator.send("PUT", tags, JSON, "{\"tags\":[\"kiln\"]}").statusCode())
        .isEqualTo(200);
    JsonNode raised = await(open, list -> !list.isEmpty());
    assertThat(raised.size()).isEqualTo(1);
    assertThat(raised.get(0).get("ep").asString()).isEqualTo("kiln-1");
    operator.send("PUT", tags, JSON, "{\"tags\":[]}");
    assertThat(await(open, JsonNode::isEmpty)).isEmpty();
  }

  @Test
  @Order(9)
  void aSlowRequestDoesNotReplaceARuleOfAnotherDomain() throws IOException {
    String ofPlant = token("operator:plant");
    String ofClosed = token("operator:closed");
    String rule = "{\"kind\":\"missing\",\"d\":\"plant\"}";
    String address = gateway.address("http");
    try (Socket slow = RawHttp.beginPut(address, "/api/alarm-rules/silent", ofPlant, rule)) {
      HttpResponse<String> made = putAs(ofClosed, "silent", rule.replace("plant", "closed"));
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
      assertThat(RawHttp.endPut(slow, rule).status()).isEqualTo(403);
    }
    assertThat(operator.read("/api/alarm-rules/silent").get("d").asString()).isEqualTo("closed");
  }

  private String token(String role) {
    String body = "{\"name\":\"%s\",\"roles\":[\"%s\"]}".formatted(role.replace(':', '.'), role);
    HttpResponse<String> made = operator.send("POST", "/api/tokens", JSON, body);
    return JsonMapper.builder().build().readTree(made.body()).get("token").asString();
  }

  /** An operator's event stream. */
  private final class Events implements AutoCloseable {
    private final BufferedReader lines;

    Events() throws IOException, InterruptedException {
      HttpResponse<InputStream> response =
          anybody
              .client()
              .send(
                  anybody
                      .to("/api/events")
                      .header("Authorization", "Bearer " + operator.token())
                      .build(),
                  HttpResponse.BodyHandlers.ofInputStream());
      assertThat(response.statusCode()).isEqualTo(200);
      lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    JsonNode next(String event) throws IOException {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("event:" + event)) {
          while (!line.startsWith("data:")) {
            line = lines.readLine();
          }
          return JsonMapper.builder().build().readTree(line.substring("data:".length()));
        }
      }
      throw new AssertionError("the stream ended");
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
