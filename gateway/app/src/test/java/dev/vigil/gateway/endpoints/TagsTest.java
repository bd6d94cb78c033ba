package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tags that operators give endpoints. */
@Timeout(120)
class TagsTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String LINKS = "</temp>;rt=\"t\"";
  private static final String JSON = "application/json";
  private static final String MANY = "/api/endpoints/tags";

  @TempDir static Path folder = Path.of("");

  /** The tests share it. */
  private static InProcessGateway gateway;

  private static HttpTestClient http;
  private static OperatorClient operator;
  private static int tests;

  private final SleepyEndpoint oven = new SleepyEndpoint("oven-" + ++tests);
  private final SleepyEndpoint pump = new SleepyEndpoint("pump-" + tests);

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

  /** Tags go after their endpoint. */
  @AfterEach
  void forgetEndpoints() {
    for (JsonNode one : operator.read("/api/endpoints").get("endpoints")) {
      String path = "/api/endpoints/" + one.get("id").asString();
      assertThat(operator.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
    }
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> operator.read("/api/tags").get("tags").isEmpty());
  }

  private String register(SleepyEndpoint sleeper, String d) {
    String registration = sleeper.registration(1, LINKS, d);
    HttpResponse<String> answer = http.send("POST", "/ms", "application/jose", registration);
    return answer.headers().firstValue("Location").orElseThrow().substring("/ms/".length());
  }

  private HttpResponse<String> put(String id, String tags, String... headers) {
    HttpRequest.Builder request =
        http.to("/api/endpoints/" + id + "/tags")
            .header("Authorization", "Bearer " + operator.token())
            .header("Content-Type", JSON)
            .PUT(HttpRequest.BodyPublishers.ofString("{\"tags\":" + tags + "}"));
    return http.send(headers.length == 0 ? request : request.headers(headers));
  }

  private static String etag(HttpResponse<String> answer) {
    return answer.headers().firstValue("ETag").orElseThrow();
  }

  private List<String> names(String query) {
    return operator
        .read("/api/endpoints" + query)
        .get("endpoints")
        .valueStream()
        .map(one -> one.get("ep").asString())
        .toList();
  }

  /** A token with roles, for requests of somebody with fewer rights. */
  private String token(String... roles) {
    String name = String.join("-", roles).replace(':', '.') + "-" + tests;
    String body =
        "{\"name\":\"%s\",\"roles\":[\"%s\"]}".formatted(name, String.join("\",\"", roles));
    HttpResponse<String> made = operator.send("POST", "/api/tokens", JSON, body);
    return MAPPER.readTree(made.body()).get("token").asString();
  }

  private HttpResponse<String> as(String token, String method, String path, String body) {
    return http.send(
        http.to(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", JSON)
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  @Test
  void tagsAreShownFilteredCountedAndKept() throws Exception {
    String id = register(oven, "");
    String other = register(pump, "");
    try (EventReader events =
        new EventReader(http, "Authorization", "Bearer " + operator.token())) {
      HttpResponse<String> made = put(id, "[\"kind:boiler\", \" building-3\", \"kind:boiler\"]");
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
      assertThat(made.body()).isEqualTo("{\"tags\":[\"building-3\",\"kind:boiler\"]}");
      events.next("endpoint", one -> one.toString().contains("\"kind:boiler\""));
    }
    put(other, "[\"building-3\"]");

    assertThat(operator.read("/api/endpoints/" + id).get("tags").toString())
        .isEqualTo("[\"building-3\",\"kind:boiler\"]");
    assertThat(names("?tag=building-3")).containsExactly(oven.ep(), pump.ep());
    assertThat(names("?tag=building-3&tag=kind:boiler")).containsExactly(oven.ep());
    assertThat(names("?tag=building")).isEmpty();
    assertThat(operator.get("/api/endpoints?tag=").statusCode()).isEqualTo(400);
    assertThat(operator.get("/api/endpoints?ep=oven&ep=pump").statusCode()).isEqualTo(400);
    assertThat(operator.get("/api/tags").body())
        .isEqualTo(
            "{\"tags\":[{\"tag\":\"building-3\",\"endpoints\":2},"
                + "{\"tag\":\"kind:boiler\",\"endpoints\":1}]}");
    JsonNode first = operator.read("/api/tags?limit=1");
    String next = first.get("next").asString();
    assertThat(operator.get("/api/tags?limit=1&after=" + next).body()).contains("kind:boiler");
    assertThat(operator.get("/api/audit").body()).contains("tagged " + oven.ep(), "endpoint-tags");

    stop();
    start();
    assertThat(names("?tag=kind:boiler")).containsExactly(oven.ep());
    assertThat(operator.get("/api/tags").body()).contains("\"endpoints\":2");
  }

  @Test
  void tagsAreForgottenWithTheirEndpoint() throws Exception {
    String id = register(oven, "");
    put(id, "[\"hall\"]");
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    try (Store.Subscription following =
        gateway
            .bean(TaggedEndpoints.class)
            .onChange(
                change -> {
                  if (change.after() == null) {
                    gone.complete(true);
                  }
                })) {
      assertThat(following).isNotNull();
      assertThat(operator.send("DELETE", "/api/endpoints/" + id, "", "").statusCode())
          .isEqualTo(204);
      assertThat(gone.get(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(operator.get("/api/tags").body()).isEqualTo("{\"tags\":[]}");
  }

  @Test
  void tagsChangeOnlyWithTheVersionThatTheChangeIsBasedOn() {
    String id = register(oven, "");
    String none = etag(operator.get("/api/endpoints/" + id + "/tags"));
    String one = etag(put(id, "[\"one\"]", "If-Match", none));
    assertThat(put(id, "[\"late\"]", "If-Match", none).statusCode()).isEqualTo(412);
    assertThat(put(id, "[]", "If-Match", none).statusCode()).isEqualTo(412);
    assertThat(put(id, "[]", "If-Match", one).body()).isEqualTo("{\"tags\":[]}");
    assertThat(put(id, "[\"late\"]", "If-Match", one).statusCode()).isEqualTo(412);
    assertThat(put(id, "[]", "If-Match", one).statusCode()).isEqualTo(412);
    assertThat(put(id, "[]").statusCode()).isEqualTo(200);
    assertThat(put(id, "[\"two\"]", "If-Match", none).statusCode()).isEqualTo(200);
  }

  @Test
  void malformedTagsAndTooManyAreRefused() {
    String id = register(oven, "");
    for (String wrong :
        List.of(
            "[\"\"]",
            "[\"a,b\"]",
            "[\"a\\u202eb\"]",
            "[\"a  b\"]",
            "[\".a\"]",
            "[null]",
            "[\"" + "x".repeat(64) + "\"]",
            "null",
            tags(33))) {
      HttpResponse<String> answer = put(id, wrong);
      assertThat(answer.statusCode()).as(wrong).isEqualTo(400);
      assertThat(answer.body()).as(wrong).contains("tags");
    }
    assertThat(put(id, tags(32)).statusCode()).isEqualTo(200);
    HttpResponse<String> full =
        operator.send("POST", MANY, JSON, "{\"ids\":[\"%s\"],\"add\":[\"more\"]}".formatted(id));
    assertThat(full.body()).contains("\"changed\":0", "409", "/problems/limit-reached");
    HttpResponse<String> replaced =
        operator.send(
            "POST",
            MANY,
            JSON,
            "{\"ids\":[\"%s\"],\"add\":[\"more\"],\"remove\":[\"t1\"]}".formatted(id));
    assertThat(replaced.body()).contains("\"changed\":1", "\"refused\":[]");
  }

  private static String tags(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"t" + i + "\"")
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void eachEndpointOfABulkChangeIsDecidedWithTheRightsOfTheCaller() {
    String id = register(oven, "plant");
    String open = register(pump, "office");
    put(id, "[\"old\"]");
    put(open, "[\"old\"]");
    String change = "{\"filter\":{\"tags\":[\" old\"]},\"add\":[\"new\"],\"remove\":[\"old\"]}";

    String viewer = token("viewer");
    assertThat(as(viewer, "POST", MANY, change).statusCode()).isEqualTo(403);
    assertThat(as(viewer, "PUT", "/api/endpoints/" + id + "/tags", "{\"tags\":[]}").statusCode())
        .isEqualTo(403);
    String ofPlant = token("operator:plant");
    assertThat(as(ofPlant, "GET", "/api/tags", "").body()).contains("\"endpoints\":1");
    JsonNode blind = MAPPER.readTree(as(ofPlant, "POST", MANY, change).body());
    assertThat(blind.toString()).isEqualTo("{\"selected\":1,\"changed\":1,\"refused\":[]}");

    String both = token("operator:plant", "viewer:office");
    String all = "{\"filter\":{},\"add\":[\"x\"]}";
    JsonNode partly = MAPPER.readTree(as(both, "POST", MANY, all).body());
    assertThat(partly.get("selected").asInt()).isEqualTo(2);
    assertThat(partly.get("changed").asInt()).isEqualTo(1);
    assertThat(partly.get("refused").toString())
        .contains("\"endpoint\":\"" + open + "\"", "\"status\":403", "only an operator");
    String named = "{\"ids\":[\"%s\",\"none\"],\"add\":[\"x\"]}".formatted(open);
    assertThat(as(both, "POST", MANY, named).body())
        .contains("\"changed\":0", "\"endpoint\":\"none\",\"status\":403");
    assertThat(operator.read("/api/endpoints/" + open).get("tags").toString()).contains("old");
    assertThat(operator.read("/api/endpoints/" + id).get("tags").toString())
        .isEqualTo("[\"new\",\"x\"]");
  }

  @Test
  void aBulkChangeNeedsTagsAndEitherAFilterOrIds() {
    for (String wrong :
        List.of(
            "{}",
            "{\"filter\":{}}",
            "{\"add\":[\"x\"]}",
            "{\"filter\":{},\"ids\":[],\"add\":[\"x\"]}",
            "{\"filter\":{\"tag\":\"y\"},\"add\":[\"x\"]}",
            "{\"filter\":{\"tags\":[\"\"]},\"add\":[\"x\"]}",
            "{\"filter\":{\"trust\":\"y\"},\"add\":[\"x\"]}")) {
      assertThat(operator.send("POST", MANY, JSON, wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(operator.send("POST", MANY, JSON, "{\"filter\":{},\"add\":[\"x\"]}").body())
        .isEqualTo("{\"selected\":0,\"changed\":0,\"refused\":[]}");
  }
}
