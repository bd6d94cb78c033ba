package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.coap.Coap;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The whole gateway: one site, over CoAP and over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls start() before any test
class OneSiteTest {
  private static final int JOSE = 65100;
  private static final String LINKS = "</temp>;rt=\"temperature\";if=\"core.s\"";

  @TempDir static Path folder = Path.of("");

  private InProcess gateway;
  private Web web;
  private Coap coap;

  @BeforeAll
  void start() {
    gateway = new InProcess(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true");
    web = new Web(gateway.address("http"));
    coap = new Coap(gateway.address("coap"));
  }

  @AfterAll
  void stop() {
    coap.close();
    gateway.close();
  }

  @Test
  void whatASleeperSendsOverCoapIsReadOctetForOctetOverHttp() {
    Sleeper sleeper = new Sleeper("both-ways");
    assertThat(coap.post("/ms?ep=both-ways", sleeper.registration(1, LINKS), JOSE).code())
        .isEqualTo("2.01");
    String id = id("both-ways");
    String update = sleeper.update("temp", 2, 21.5);
    assertThat(coap.put("/ms/" + id + "/temp", update, JOSE).code()).startsWith("2.0");

    HttpResponse<String> original = web.get("/ms/" + id + "/temp");
    assertThat(original.body()).isEqualTo(update);
    assertThat(header(original, "Content-Type")).isEqualTo("application/jose");
    assertThat(coap.get("/ms/" + id + "/temp").text()).isEqualTo(update);
    assertThat(web.get("/ms/" + id + "/temp", "Accept", "text/plain").body()).isEqualTo("21.5");
    assertThat(web.get("/keys/" + sleeper.jkt()).body()).contains("\"P-256\"");
  }

  @Test
  void lookupsSayTheSameOverBoth() {
    Sleeper sleeper = new Sleeper("found");
    String location = web.register(sleeper, 1, "</humid>;rt=\"humidity-found\"");
    String http = web.get("/rd-lookup/res?rt=humidity-found").body();
    String overCoap = coap.get("/rd-lookup/res?rt=humidity-found").text();
    assertThat(http).contains("<" + gateway.address("http") + location + "/humid>");
    assertThat(http.replace(gateway.address("http"), gateway.address("coap"))).isEqualTo(overCoap);
    assertThat(web.get("/.well-known/core?rt=core.ms").body()).contains("</ms>");
  }

  @Test
  void anObserverOverCoapHearsOfAnUpdateOverHttp() throws Exception {
    Sleeper sleeper = new Sleeper("observed");
    String resource = web.register(sleeper, 1, LINKS) + "/temp";
    put(resource, sleeper.update("temp", 2, 1));
    BlockingQueue<String> told = coap.observe(resource);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(web.get(resource).body());
    String next = sleeper.update("temp", 3, 2);
    put(resource, next);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(next);
  }

  @Test
  void aKnownTagIsNotSentAgainAndEachFormatHasItsOwn() {
    Sleeper sleeper = new Sleeper("tagged");
    String resource = web.register(sleeper, 1, LINKS) + "/temp";
    put(resource, sleeper.update("temp", 7, 20));
    HttpResponse<String> first = web.get(resource);
    assertThat(header(first, "ETag")).isEqualTo("\"7-65100\"");
    assertThat(header(first, "Vary")).isEqualTo("Accept");
    assertThat(header(first, "Cache-Control")).matches("max-age=[0-9]+");
    HttpResponse<String> again = web.get(resource, "If-None-Match", "\"1-0\", W/\"7-65100\"");
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(again, "ETag")).isEqualTo("\"7-65100\"");
    HttpResponse<String> other =
        web.get(resource, "If-None-Match", "\"7-65100\"", "Accept", "application/senml+json");
    assertThat(other.statusCode()).isEqualTo(200);
    assertThat(header(other, "ETag")).isEqualTo("\"7-110\"");
  }

  @Test
  void acceptChoosesAndWildcardsTakeTheResourcesOwnChoice() {
    Sleeper sleeper = new Sleeper("formats");
    String resource = web.register(sleeper, 1, LINKS) + "/temp";
    put(resource, sleeper.update("temp", 2, 20));
    assertThat(type(resource, "text/plain;q=0.5, application/senml+json"))
        .isEqualTo("application/senml+json");
    assertThat(type(resource, "*/*")).isEqualTo("application/jose");
    assertThat(type(resource, "text/html, */*;q=0.1")).isEqualTo("application/jose");
    assertThat(type(resource, "application/link-format, */*;q=0.1")).isEqualTo("application/jose");
    assertThat(web.get(resource, "Accept", "text/html").statusCode()).isEqualTo(406);
    assertThat(web.get(resource, "Accept", "application/link-format").statusCode()).isEqualTo(406);
  }

  @Test
  void aReplayIsAConflictThatNamesTheHighestNumberOverBoth() {
    Sleeper sleeper = new Sleeper("replayed");
    String resource = web.register(sleeper, 1, LINKS) + "/temp";
    String old = sleeper.update("temp", 2, 1);
    put(resource, old);
    put(resource, sleeper.update("temp", 9, 2));
    HttpResponse<String> answer = web.send("PUT", resource, "application/jose", old);
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).isEqualTo("9");
    assertThat(coap.put(resource, old, JOSE)).isEqualTo(new Coap.Answer("4.09", "9"));
  }

  @Test
  void errorsAreOneLineOfTextWithTheRightStatus() {
    String path = web.register(new Sleeper("wrong"), 1, LINKS) + "/temp";
    line(404, web.get("/ms/nosuch/temp"));
    line(404, web.get("/rd/nosuch"));
    line(404, web.get(path));
    line(400, web.send("PUT", path, "application/jose", "not a jws"));
    line(415, web.send("PUT", path, "application/json", "{}"));
    line(415, web.send("PUT", path, "image/png", "x"));
    line(413, web.send("PUT", path, "application/jose", "x".repeat(70_000)));
    line(405, web.send("PATCH", path, "application/jose", "x"));
    line(405, web.send("DELETE", "/rd-lookup/ep", "text/plain", ""));
    line(400, web.get("/rd-lookup/ep?=x"));
    // Refused by the server before any of our code sees it.
    line(400, web.get("/ms/%ff%zz".replace("%zz", "%00")));
  }

  @Test
  void headHasHeadersAndNoBody() {
    HttpResponse<String> head =
        web.send(web.to("/.well-known/core").method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Type")).isEqualTo("application/link-format");
    assertThat(head.body()).isEmpty();
  }

  @Test
  void everyAnswerGuardsThePage() {
    for (String path : new String[] {"/rd-lookup/ep", "/api/endpoints", "/nope", "/ms/nosuch"}) {
      HttpResponse<String> answer = web.get(path);
      assertThat(header(answer, "Content-Security-Policy"))
          .contains("default-src 'none'", "frame-ancestors 'none'");
      assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
    }
  }

  @Test
  void aPageOfAnotherSiteChangesNothing() {
    String gateway = web.to("/").build().uri().getAuthority();
    assertThat(removal("Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(removal("Sec-Fetch-Site", "same-site").statusCode()).isEqualTo(403);
    assertThat(removal("Origin", "https://elsewhere.example").statusCode()).isEqualTo(403);
    assertThat(removal("Origin", "null").statusCode()).isEqualTo(403);
    // Its own page, and clients that are no browsers, get as far as the resource.
    assertThat(removal("Sec-Fetch-Site", "same-origin").statusCode()).isEqualTo(404);
    assertThat(removal("Origin", "http://" + gateway).statusCode()).isEqualTo(404);
    assertThat(web.send("DELETE", "/rd/nosuch", "text/plain", "").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> removal(String header, String value) {
    return web.send(web.to("/rd/nosuch").DELETE().header(header, value));
  }

  @Test
  void healthIsToldWithoutDetailsAndFiguresToThisMachine() {
    HttpResponse<String> health = web.get("/actuator/health");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).contains("UP").doesNotContain("diskSpace", "store");
    assertThat(web.get("/actuator/prometheus").body()).contains("vigil_store_landed_total");
    assertThat(web.get("/actuator/env").statusCode()).isEqualTo(404);
  }

  @Test
  void theApiDescribesItself() {
    assertThat(web.get("/v3/api-docs").body())
        .contains("/api/endpoints", "/api/endpoints/{id}", "/api/events", "/api/network");
  }

  private static void line(int status, HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.uri() + " " + answer.body()).isEqualTo(status);
    assertThat(header(answer, "Content-Type")).startsWith("text/plain");
    assertThat(answer.body()).isNotEmpty().doesNotContain("\n", "Exception", "<");
  }

  private void put(String path, String jws) {
    HttpResponse<String> answer = web.send("PUT", path, "application/jose", jws);
    assertThat(answer.statusCode()).as(answer.body()).isIn(201, 204);
  }

  private String type(String path, String accept) {
    return header(web.get(path, "Accept", accept), "Content-Type");
  }

  private String id(String ep) {
    String body = web.get("/api/endpoints?ep=" + ep).body();
    return body.replaceAll(".*\"id\":\"([0-9a-z]+)\".*", "$1");
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }
}
