package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.coap.CoapTestClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole gateway: the same resources over CoAP and over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoapAndHttpTest {
  private static final int JOSE = 65100;
  private static final String LINKS = "</temp>;rt=\"temperature\";if=\"core.s\"";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;
  private CoapTestClient coap;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true");
    http = new HttpTestClient(gateway.address("http"));
    coap = new CoapTestClient(gateway.address("coap"));
  }

  @AfterAll
  void stop() {
    coap.close();
    gateway.close();
  }

  @Test
  void anUpdateOverCoapIsReadUnchangedOverHttp() {
    SleepyEndpoint sleeper = new SleepyEndpoint("both-ways");
    assertThat(coap.post("/ms?ep=both-ways", sleeper.registration(1, LINKS), JOSE).code())
        .isEqualTo("2.01");
    String id = id("both-ways");
    String update = sleeper.update("temp", 2, 21.5);
    assertThat(coap.put("/ms/" + id + "/temp", update, JOSE).code()).startsWith("2.0");

    HttpResponse<String> original = http.get("/ms/" + id + "/temp");
    assertThat(original.body()).isEqualTo(update);
    assertThat(header(original, "Content-Type")).isEqualTo("application/jose");
    assertThat(coap.get("/ms/" + id + "/temp").text()).isEqualTo(update);
    assertThat(http.get("/ms/" + id + "/temp", "Accept", "text/plain").body()).isEqualTo("21.5");
    assertThat(http.get("/keys/" + sleeper.jkt()).body()).contains("\"P-256\"");
  }

  @Test
  void lookupsAreEqualOverCoapAndHttp() {
    SleepyEndpoint sleeper = new SleepyEndpoint("found");
    String location = http.register(sleeper, 1, "</humid>;rt=\"humidity-found\"");
    String overHttp = http.get("/rd-lookup/res?rt=humidity-found").body();
    String overCoap = coap.get("/rd-lookup/res?rt=humidity-found").text();
    assertThat(overHttp).contains("<" + gateway.address("http") + location + "/humid>");
    assertThat(overHttp.replace(gateway.address("http"), gateway.address("coap")))
        .isEqualTo(overCoap);
    assertThat(http.get("/.well-known/core?rt=core.ms").body()).contains("</ms>");
  }

  @Test
  void aCoapObserverIsNotifiedOfAnUpdateOverHttp() throws Exception {
    SleepyEndpoint sleeper = new SleepyEndpoint("observed");
    String resource = http.register(sleeper, 1, LINKS) + "/temp";
    put(resource, sleeper.update("temp", 2, 1));
    BlockingQueue<String> notifications = coap.observe(resource);
    assertThat(notifications.poll(30, TimeUnit.SECONDS)).isEqualTo(http.get(resource).body());
    String next = sleeper.update("temp", 3, 2);
    put(resource, next);
    assertThat(notifications.poll(30, TimeUnit.SECONDS)).isEqualTo(next);
  }

  @Test
  void aMatchingEtagIs304AndEachFormatHasItsOwnEtag() {
    SleepyEndpoint sleeper = new SleepyEndpoint("tagged");
    String resource = http.register(sleeper, 1, LINKS) + "/temp";
    put(resource, sleeper.update("temp", 7, 20));
    HttpResponse<String> first = http.get(resource);
    assertThat(header(first, "ETag")).isEqualTo("\"7-65100\"");
    assertThat(header(first, "Vary")).isEqualTo("Accept");
    assertThat(header(first, "Cache-Control")).matches("max-age=[0-9]+");
    HttpResponse<String> again = http.get(resource, "If-None-Match", "\"1-0\", W/\"7-65100\"");
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(again, "ETag")).isEqualTo("\"7-65100\"");
    HttpResponse<String> other =
        http.get(resource, "If-None-Match", "\"7-65100\"", "Accept", "application/senml+json");
    assertThat(other.statusCode()).isEqualTo(200);
    assertThat(header(other, "ETag")).isEqualTo("\"7-110\"");
  }

  @Test
  void onlyTheOwnCacheOfACallerWithRightsMayStoreAnAnswer() {
    SleepyEndpoint sleeper = new SleepyEndpoint("cached");
    String resource = http.register(sleeper, 1, LINKS) + "/temp";
    put(resource, sleeper.update("temp", 2, 20));
    OperatorClient operator = new OperatorClient(gateway);
    assertThat(header(operator.get(resource), "Cache-Control")).matches("private, max-age=[0-9]+");
    assertThat(header(http.get(resource), "Cache-Control")).matches("max-age=[0-9]+");
    assertThat(header(operator.get("/ms/nosuch/temp"), "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void acceptSelectsTheFormatAndWildcardsTheDefault() {
    SleepyEndpoint sleeper = new SleepyEndpoint("formats");
    String resource = http.register(sleeper, 1, LINKS) + "/temp";
    put(resource, sleeper.update("temp", 2, 20));
    assertThat(type(resource, "text/plain;q=0.5, application/senml+json"))
        .isEqualTo("application/senml+json");
    assertThat(type(resource, "*/*")).isEqualTo("application/jose");
    assertThat(type(resource, "text/html, */*;q=0.1")).isEqualTo("application/jose");
    assertThat(type(resource, "application/link-format, */*;q=0.1")).isEqualTo("application/jose");
    assertThat(http.get(resource, "Accept", "text/html").statusCode()).isEqualTo(406);
    assertThat(http.get(resource, "Accept", "application/link-format").statusCode()).isEqualTo(406);
  }

  @Test
  void aReplayIsAConflictThatNamesTheHighestNumber() {
    SleepyEndpoint sleeper = new SleepyEndpoint("replayed");
    String resource = http.register(sleeper, 1, LINKS) + "/temp";
    String old = sleeper.update("temp", 2, 1);
    put(resource, old);
    put(resource, sleeper.update("temp", 9, 2));
    HttpResponse<String> response = http.send("PUT", resource, "application/jose", old);
    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(response.body()).contains("\"detail\":\"9\"");
    assertThat(coap.put(resource, old, JOSE)).isEqualTo(new CoapTestClient.Answer("4.09", "9"));
  }

  @Test
  void errorsAreProblemDetailsWithTheRightStatus() {
    String path = http.register(new SleepyEndpoint("wrong"), 1, LINKS) + "/temp";
    problem(404, http.get("/ms/nosuch/temp"));
    problem(404, http.get("/rd/nosuch"));
    problem(404, http.get(path));
    problem(400, http.send("PUT", path, "application/jose", "not a jws"));
    problem(415, http.send("PUT", path, "application/json", "{}"));
    problem(415, http.send("PUT", path, "image/png", "x"));
    problem(413, http.send("PUT", path, "application/jose", "x".repeat(70_000)));
    problem(405, http.send("PATCH", path, "application/jose", "x"));
    problem(405, http.send("DELETE", "/rd-lookup/ep", "text/plain", ""));
    problem(400, http.get("/rd-lookup/ep?=x"));
    // Tomcat refuses this one.
    problem(400, http.get("/ms/%ff%zz".replace("%zz", "%00")));
  }

  @Test
  void headHasHeadersAndNoBody() {
    HttpResponse<String> head =
        http.send(http.to("/.well-known/core").method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Type")).isEqualTo("application/link-format");
    assertThat(head.body()).isEmpty();
  }

  @Test
  void everyResponseHasSecurityHeaders() {
    for (String path : new String[] {"/rd-lookup/ep", "/api/endpoints", "/nope", "/ms/nosuch"}) {
      HttpResponse<String> response = http.get(path);
      assertThat(header(response, "Content-Security-Policy"))
          .contains("default-src 'none'", "frame-ancestors 'none'");
      assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
    }
  }

  @Test
  void aPageOfAnotherSiteChangesNothing() {
    String gateway = http.to("/").build().uri().getAuthority();
    assertThat(removal("Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(removal("Sec-Fetch-Site", "same-site").statusCode()).isEqualTo(403);
    assertThat(removal("Origin", "https://elsewhere.example").statusCode()).isEqualTo(403);
    assertThat(removal("Origin", "null").statusCode()).isEqualTo(403);
    // Requests from the gateway's own page and from other clients reach the resource.
    assertThat(removal("Sec-Fetch-Site", "same-origin").statusCode()).isEqualTo(404);
    assertThat(removal("Origin", "http://" + gateway).statusCode()).isEqualTo(404);
    assertThat(http.send("DELETE", "/rd/nosuch", "text/plain", "").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> removal(String header, String value) {
    return http.send(http.to("/rd/nosuch").DELETE().header(header, value));
  }

  @Test
  void healthHidesDetailsAndLoopbackMayReadMetrics() {
    HttpResponse<String> health = http.get("/actuator/health");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).contains("UP").doesNotContain("diskSpace", "store");
    assertThat(http.get("/actuator/prometheus").body()).contains("vigil_store_landed_total");
    assertThat(http.get("/actuator/info").body())
        .startsWith("{\"build\":{")
        .contains("\"version\":", "\"number\":")
        .doesNotContain("java", "token");
    assertThat(http.get("/actuator/env").statusCode()).isEqualTo(404);
  }

  @Test
  void theApiDescriptionIsTheFileThatTheBuildWrote() throws IOException {
    for (Map.Entry<String, String> file :
        Map.of("/v3/api-docs", "openapi.json", "/v3/api-docs.yaml", "openapi.yaml").entrySet()) {
      Path written = Path.of("../target/openapi", file.getValue());
      assertThat(http.get(file.getKey()).body()).isEqualTo(Files.readString(written));
    }
  }

  @Test
  void theApiDescriptionHasExactlyTheMappingsOfTheApi() {
    Set<String> mapped = new TreeSet<>();
    gateway
        .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .forEach(
            (mapping, method) -> {
              if (!method.hasMethodAnnotation(Hidden.class)) {
                for (String path : mapping.getPatternValues()) {
                  mapping
                      .getMethodsCondition()
                      .getMethods()
                      .forEach(verb -> mapped.add(verb + " " + path.replace("{*", "{")));
                }
              }
            });
    mapped.removeIf(operation -> !operation.contains(" /api/"));
    Set<String> described = new TreeSet<>();
    JsonNode paths =
        JsonMapper.shared().readTree(http.get("/v3/api-docs").body()).required("paths");
    paths
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .propertyNames()
                    .forEach(
                        verb ->
                            described.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    described.removeIf(operation -> !operation.contains(" /api/"));
    assertThat(described).isEqualTo(mapped).hasSizeGreaterThan(50);
  }

  @Test
  void everyAnswerOfTheApiHasAFormatAndASchema() {
    JsonNode document = JsonMapper.shared().readTree(http.get("/v3/api-docs").body());
    assertThat(document.toString()).doesNotContain("\"*/*\"");
    for (Map.Entry<String, JsonNode> path : document.required("paths").properties()) {
      for (JsonNode operation : path.getValue()) {
        for (Map.Entry<String, JsonNode> answer : operation.path("responses").properties()) {
          answer
              .getValue()
              .path("content")
              .forEach(
                  content ->
                      assertThat(content.path("schema"))
                          .as(path.getKey())
                          .isNotEmpty()
                          .isNotEqualTo(JsonMapper.shared().readTree("{\"type\":\"object\"}")));
        }
      }
    }
  }

  private static void problem(int status, HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.uri() + " " + response.body()).isEqualTo(status);
    assertThat(header(response, "Content-Type")).startsWith("application/problem+json");
    assertThat(response.body()).isNotEmpty().doesNotContain("\n", "Exception", "<");
  }

  private void put(String path, String jws) {
    HttpResponse<String> response = http.send("PUT", path, "application/jose", jws);
    assertThat(response.statusCode()).as(response.body()).isIn(201, 204);
  }

  private String type(String path, String accept) {
    return header(http.get(path, "Accept", accept), "Content-Type");
  }

  private String id(String ep) {
    String body = http.get("/api/endpoints?ep=" + ep).body();
    return body.replaceAll(".*\"id\":\"([0-9a-z]+)\".*", "$1");
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
