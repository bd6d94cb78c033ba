package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One resource over REST: its value, its history, its commands. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResourcesTest {
  private static final String LINKS = "</temp>;rt=\"temperature\",</lights/led%201>;rt=\"led\"";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir static Path folder = Path.of("");

  private final SleepyEndpoint commander = new SleepyEndpoint("commander");
  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.trust=first-use",
            "--vigil.anonymous-read=true",
            "--vigil.default-domain.command=identified",
            "--vigil.default-domain.history=100",
            "--vigil.history.minutes=3653d",
            "--vigil.default-domain.commanders[0]=" + commander.jwk(),
            "--vigil.domains.plant.read=identified");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private void put(String path, String jws) {
    assertThat(http.send("PUT", path, "application/jose", jws).statusCode()).isIn(201, 204);
  }

  private JsonNode read(String path) {
    HttpResponse<String> answer = http.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static String api(String entry) {
    return "/api/endpoints/" + entry.substring("/ms/".length());
  }

  @Test
  void historyCanBeReadNewestFirst() {
    SleepyEndpoint sleeper = new SleepyEndpoint("backwards");
    String entry = http.register(sleeper, 1, LINKS);
    for (int i = 0; i < 5; i++) {
      put(entry + "/temp", sleeper.measured("temp", 2 + i, 20 + i, 1_763_640_000 + 60L * i));
    }
    String past = api(entry) + "/resources/temp/history?order=newest";
    JsonNode first = read(past + "&limit=2");
    assertThat(first.get("values").findValuesAsString("seq")).containsExactly("6", "5");
    JsonNode second = read(past + "&limit=2&after=" + first.get("next").asString());
    assertThat(second.get("values").findValuesAsString("seq")).containsExactly("4", "3");
    JsonNode last = read(past + "&limit=2&after=" + second.get("next").asString());
    assertThat(last.get("values").findValuesAsString("seq")).containsExactly("2");
    assertThat(last.has("next")).isFalse();
    assertThat(http.get(past + "&bucket=1m").statusCode()).isEqualTo(400);
  }

  @Test
  void bucketsHaveTheLastValueAndTheRateOfChange() {
    SleepyEndpoint sleeper = new SleepyEndpoint("counter");
    String entry = http.register(sleeper, 1, LINKS);
    for (int i = 0; i < 4; i++) {
      put(entry + "/temp", sleeper.measured("temp", 2 + i, 30 * i, 1_763_640_000 + 60L * i));
    }
    JsonNode buckets =
        read(api(entry) + "/resources/temp/history?bucket=2m").get("series").get(0).get("buckets");
    assertThat(buckets.get(0).get("last").asDouble()).isEqualTo(30);
    assertThat(buckets.get(0).has("rate")).isFalse();
    assertThat(buckets.get(1).get("last").asDouble()).isEqualTo(90);
    assertThat(buckets.get(1).get("rate").asDouble()).isEqualTo(0.5);
  }

  @Test
  void endpointsAreFilteredByFreshnessAndTrust() {
    String entry = http.register(new SleepyEndpoint("filtered"), 1, LINKS);
    String id = entry.substring("/ms/".length());
    String filter = "/api/endpoints?ep=filtered";
    for (String fits : new String[] {"&freshness=on-time", "&trust=trusted", "&text=FILTER"}) {
      assertThat(read(filter + fits).get("endpoints").findValuesAsString("id"))
          .as(fits)
          .containsExactly(id);
    }
    for (String other : new String[] {"&freshness=late", "&trust=revoked", "&text=elsewhere"}) {
      assertThat(read(filter + other).get("endpoints")).as(other).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/api/endpoints?freshness=stale; freshness: takes one of on-time, late, missing, not-trusted",
        "/api/endpoints?trust=yes; trust: takes one of unproven, pending, trusted",
        "/api/keys?state=lost; state: takes one of listed, unproven",
        "/api/alarms?state=loud; state: takes one of open",
        "/api/endpoints?name=x; unknown query parameter: this request takes after, d, ep",
        "/api/endpoints?d=a&d=b; d: must be given only once",
        "/api/domains?d=a; this request takes no query parameters",
        "/api/endpoints?limit=x; limit"
      })
  void wrongParametersAreRefusedWithTheirNames(String target, String why) {
    HttpResponse<String> answer = operator.get(target);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(answer.body()).get("detail").asString()).contains(why);
  }

  @Test
  void plainRegistrationsAreListedAndForgotten() {
    HttpResponse<String> made =
        http.send(
            "POST",
            "/rd?ep=printer&lt=600&base=coap://192.0.2.9&et=office",
            "application/link-format",
            "</ink>,</paper>");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    http.register(new SleepyEndpoint("no-plain-one"), 1, LINKS);
    JsonNode found = read("/api/registrations?text=print").get("registrations");
    assertThat(found).hasSize(1);
    JsonNode printer = found.get(0);
    assertThat(printer.get("href").asString())
        .isEqualTo(made.headers().firstValue("Location").orElseThrow());
    assertThat(printer.get("d").asString()).isEqualTo("-");
    assertThat(printer.get("links").asInt()).isEqualTo(2);
    assertThat(printer.get("attributes").get("et").asString()).isEqualTo("office");
    assertThat(read("/api/registrations?text=no-plain").get("registrations")).isEmpty();

    String one = "/api/registrations/" + printer.get("id").asString();
    assertThat(http.send("DELETE", one, "", "").statusCode()).isEqualTo(401);
    assertThat(operator.send("DELETE", one, "", "").statusCode()).isEqualTo(204);
    assertThat(operator.send("DELETE", one, "", "").statusCode()).isEqualTo(404);
    assertThat(read("/api/registrations?ep=printer").get("registrations")).isEmpty();
    assertThat(operator.get("/api/audit").body()).contains("forgot the registration of");
  }

  @Test
  void historyIsReadInPagesOfValuesAndInBuckets() {
    SleepyEndpoint sleeper = new SleepyEndpoint("with-a-past");
    String entry = http.register(sleeper, 1, LINKS);
    long start = 1_763_640_000;
    for (int i = 0; i < 5; i++) {
      put(entry + "/temp", sleeper.measured("temp", 2 + i, 20 + i, start + 60L * i));
    }
    String past = api(entry) + "/resources/temp/history";
    JsonNode all = read(past).get("values");
    assertThat(all.findValuesAsString("seq")).containsExactly("2", "3", "4", "5", "6");
    assertThat(all.get(0).get("measuredAt").asString()).isEqualTo("2025-11-20T12:00:00Z");
    assertThat(all.get(0).get("value").asDouble()).isEqualTo(20);
    assertThat(all.get(0).get("unit").asString()).isEqualTo("Cel");

    List<String> seen = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = read(past + "?limit=2" + after);
      seen.addAll(page.get("values").findValuesAsString("seq"));
      after = page.has("next") ? "&after=" + page.get("next").asString() : "";
    } while (!after.isEmpty());
    assertThat(seen).containsExactly("2", "3", "4", "5", "6");

    String part = "?from=" + (start + 60) + "&to=2025-11-20T12:03:00Z";
    assertThat(read(past + part).get("values").findValuesAsString("seq")).containsExactly("3", "4");
    JsonNode series = read(past + "?bucket=2m").get("series").get(0);
    assertThat(series.get("name").asString()).isEqualTo("with-a-past/temp");
    assertThat(series.get("buckets").findValuesAsString("count")).containsExactly("2", "2", "1");
    JsonNode first = series.get("buckets").get(0);
    assertThat(first.get("start").asString()).isEqualTo("2025-11-20T12:00:00Z");
    assertThat(first.get("mean").asDouble()).isEqualTo(20.5);
    assertThat(first.get("min").asDouble()).isEqualTo(20);
    assertThat(first.get("max").asDouble()).isEqualTo(21);
    for (String wrong :
        new String[] {"?bucket=x", "?bucket=0", "?bucket=100000000d", "?from=noon", "?limit=0"}) {
      assertThat(http.get(past + wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(http.get(api(entry) + "/resources/nothing/history").statusCode()).isEqualTo(404);
  }

  /** 100 values are kept. */
  @Test
  void bucketsReachFurtherBackThanTheKeptValues() {
    SleepyEndpoint sleeper = new SleepyEndpoint("older");
    String entry = http.register(sleeper, 1, LINKS);
    long start = 1_763_640_000;
    for (int i = 0; i < 240; i++) {
      put(entry + "/temp", sleeper.measured("temp", 2 + i, i, start + 30L * i));
    }
    String past = api(entry) + "/resources/temp/history";
    JsonNode values = read(past + "?limit=1");
    assertThat(values.get("resolution").asString()).isEqualTo("values");
    assertThat(values.get("valuesSince").asString()).isEqualTo("2025-11-20T13:10:00Z");

    JsonNode hours = readUntil(past + "?bucket=1h", 240);
    assertThat(hours.get("resolution").asString()).isEqualTo("hour");
    assertThat(hours.get("aggregatesSince").asString()).isEqualTo("2025-11-20T12:00:00Z");
    JsonNode first = hours.get("series").get(0).get("buckets").get(0);
    assertThat(first.get("mean").asDouble()).isEqualTo(59.5);
    assertThat(first.get("max").asDouble()).isEqualTo(119);

    JsonNode halves = read(past + "?bucket=30m&to=2025-11-20T13:00:00Z");
    assertThat(halves.get("resolution").asString()).isEqualTo("minute");
    assertThat(halves.get("series").get(0).get("buckets").findValuesAsString("count"))
        .containsExactly("60", "60");
    assertThat(read(past + "?bucket=30m&from=2025-11-20T13:30:00Z").get("resolution").asString())
        .as("the values reach back as far")
        .isEqualTo("values");
    assertThat(read(past + "?bucket=30s").get("resolution").asString()).isEqualTo("values");
  }

  /** Aggregates follow the values a moment later. */
  private JsonNode readUntil(String path, int count) {
    return await()
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () -> read(path),
            answer ->
                answer.get("series").get(0).get("buckets").findValues("count").stream()
                        .mapToInt(JsonNode::asInt)
                        .sum()
                    == count);
  }

  @Test
  void aCommandToANestedPathIsQueuedShownAndCancelled() {
    SleepyEndpoint sleeper = new SleepyEndpoint("commanded");
    String entry = http.register(sleeper, 1, LINKS);
    String orders = api(entry) + "/resources/lights/led%201/commands";
    String order = commander.command("commanded", "lights/led%201", 5);
    assertThat(http.send("POST", orders, "application/jose", order).statusCode()).isEqualTo(401);
    HttpResponse<String> queued = operator.send("POST", orders, "application/jose", order);
    assertThat(queued.statusCode()).as(queued.body()).isEqualTo(201);
    assertThat(JSON.readTree(queued.body()).get("state").asString()).isEqualTo("queued");
    assertThat(operator.send("PUT", orders, "application/jose", order).statusCode())
        .as("the same again")
        .isEqualTo(201);
    JsonNode shown = read(orders);
    assertThat(shown.get("commands")).hasSize(1);
    assertThat(shown.get("last").asLong()).isEqualTo(5);
    assertThat(shown.get("commands").get(0).get("by").asString()).isEqualTo(commander.jkt());
    assertThat(read(api(entry)).get("commands")).hasSize(1);

    assertThat(http.send("DELETE", orders + "/5", "text/plain", "").statusCode()).isEqualTo(401);
    assertThat(operator.send("DELETE", orders + "/6", "", "").statusCode()).isEqualTo(404);
    assertThat(operator.send("DELETE", orders + "/5", "", "").statusCode()).isEqualTo(204);
    assertThat(read(orders).get("commands").get(0).get("state").asString()).isEqualTo("cancelled");
  }

  @Test
  void anUpdateIsNotAcceptedAsACommand() {
    SleepyEndpoint sleeper = new SleepyEndpoint("not-commanded");
    String entry = http.register(sleeper, 1, LINKS);
    String orders = api(entry) + "/resources/temp/commands";
    String update = sleeper.update("temp", 2, 20);
    assertThat(operator.send("POST", orders, "application/jose", update).body())
        .contains("vigil-cmd");
    assertThat(http.get(entry + "/temp").statusCode()).isEqualTo(404);
    assertThat(operator.send("POST", orders, "application/jose", "x").statusCode()).isEqualTo(400);
    assertThat(operator.send("POST", orders, "application/json", "{}").statusCode()).isEqualTo(415);
    String foreign = new SleepyEndpoint("no commander").command("not-commanded", "temp", 1);
    assertThat(operator.send("POST", orders, "application/jose", foreign).statusCode())
        .isEqualTo(403);
    assertThat(http.send("DELETE", api(entry) + "/resources/temp", "text/plain", "").statusCode())
        .isIn(401, 405);
  }

  @Test
  void listsPageVisibleEndpointsWithTheirRejections() {
    SleepyEndpoint sleeper = new SleepyEndpoint("refused");
    String entry = http.register(sleeper, 1, LINKS);
    assertThat(
            http.send("PUT", entry + "/temp", "application/jose", sleeper.update("temp", 1, 1))
                .statusCode())
        .isEqualTo(409);
    assertThat(read(api(entry)).get("rejections").get("number-used").asLong()).isEqualTo(1);

    SleepyEndpoint hidden = new SleepyEndpoint("hidden");
    assertThat(
            http.send(
                    "POST",
                    "/ms?ep=hidden&d=plant",
                    "application/jose",
                    hidden.registration(1, LINKS, "plant"))
                .statusCode())
        .isEqualTo(201);
    List<String> names = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = read("/api/endpoints?limit=1" + after);
      names.addAll(page.get("endpoints").findValuesAsString("ep"));
      after = page.has("next") ? "&after=" + page.get("next").asString() : "";
    } while (!after.isEmpty());
    assertThat(names).contains("refused").doesNotContain("hidden").isSorted();
    assertThat(http.get("/api/endpoints?d=plant").statusCode()).isEqualTo(401);
    assertThat(operator.read("/api/endpoints?d=plant").get("endpoints")).hasSize(1);
    JsonNode domains = operator.read("/api/domains").get("domains");
    assertThat(domains.findValuesAsString("name")).containsExactly("-", "plant");
    assertThat(operator.read("/api/domains/-").get("commanders").get(0).asString())
        .isEqualTo(commander.jkt());
    assertThat(http.get("/api/domains").statusCode()).isEqualTo(401);
  }

  @Test
  void everyResponseHasASchemaInTheApiDescription() {
    JsonNode paths = read("/v3/api-docs").get("paths");
    for (String path :
        new String[] {
          "/api/endpoints",
          "/api/endpoints/{id}",
          "/api/endpoints/{id}/resources/{path}",
          "/api/endpoints/{id}/resources/{path}/history",
          "/api/endpoints/{id}/resources/{path}/commands",
          "/api/endpoints/{id}/resources/{path}/commands/{seq}",
          "/api/keys",
          "/api/keys/{thumbprint}",
          "/api/keys/{thumbprint}/approve",
          "/api/keys/{thumbprint}/refuse",
          "/api/keys/{thumbprint}/revoke",
          "/api/domains",
          "/api/domains/{name}",
          "/api/audit",
          "/api/events"
        }) {
      assertThat(paths.has(path)).as(path).isTrue();
      for (JsonNode operation : paths.get(path)) {
        assertThat(operation.path("summary").asString("")).as(path).isNotEmpty();
      }
    }
  }
}
