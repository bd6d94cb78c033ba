package dev.vigil.gateway.domains;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Domains and commanders' keys that administrators store in addition to the settings file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DomainsApiTest {
  private static final String JSON = "application/json";
  private static final String JOSE = "application/jose";
  private static final String LINKS = "</temp>;rt=\"t\"";

  @TempDir static Path folder = Path.of("");

  private final SleepyEndpoint fileCommander = new SleepyEndpoint("of the file");
  private InProcessGateway gateway;
  private OperatorClient operator;
  private HttpTestClient anybody;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.domains.plant.trust=first-use",
            "--vigil.domains.plant.limits.payload=1000",
            "--vigil.domains.plant.commanders[0]=" + fileCommander.jwk());
    operator = new OperatorClient(gateway);
    anybody = new HttpTestClient(gateway.address("http"));
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private HttpResponse<String> put(String path, String body) {
    return operator.send("PUT", path, JSON, body);
  }

  private HttpResponse<String> put(String path, String body, String tag) {
    return anybody.send(
        anybody
            .to(path)
            .header("Authorization", "Bearer " + operator.token())
            .header("Content-Type", JSON)
            .header("If-Match", tag)
            .PUT(HttpRequest.BodyPublishers.ofString(body)));
  }

  private int status(String method, String path) {
    return operator.send(method, path, "", "").statusCode();
  }

  private HttpResponse<String> register(SleepyEndpoint mote, long seq, String d) {
    return anybody.send("POST", "/ms", JOSE, mote.registration(seq, LINKS, d));
  }

  @Test
  void aDomainIsCreatedUsedChangedAndRemovedWithoutARestart() {
    String path = "/api/domains/annex";
    SleepyEndpoint mote = new SleepyEndpoint("annex-1");
    assertThat(register(mote, 1, "annex").statusCode()).isEqualTo(403);
    HttpResponse<String> made = put(path, "{\"trust\":\"first-use\",\"limits\":{\"endpoints\":1}}");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    assertThat(operator.read(path).path("limits").path("endpoints").asInt()).isEqualTo(1);
    assertThat(operator.read(path).path("inFile").asBoolean()).isFalse();
    HttpResponse<String> registered = register(mote, 2, "annex");
    assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
    assertThat(register(new SleepyEndpoint("annex-2"), 1, "annex").statusCode()).isNotEqualTo(201);

    // The policy holds at once too.
    String value = registered.headers().firstValue("Location").orElseThrow() + "/temp";
    anybody.send("PUT", value, JOSE, mote.update("temp", 3, 20.5));
    assertThat(anybody.get(value).statusCode()).isEqualTo(200);
    put(path, "{\"trust\":\"first-use\",\"policy\":{\"read\":[\"identified\"]}}");
    assertThat(anybody.get(value).statusCode()).isEqualTo(401);

    HttpResponse<String> kept = operator.send("DELETE", path, "", "");
    assertThat(kept.statusCode()).isEqualTo(409);
    assertThat(kept.body()).contains("1 endpoint names");
    assertThat(register(mote, 4, "annex").statusCode()).isLessThan(300);
    assertThat(operator.get("/api/audit").body())
        .contains("made domain annex", "changed domain annex");
    put("/api/domains/empty", "{}");
    assertThat(status("DELETE", "/api/domains/empty")).isEqualTo(204);
    assertThat(status("GET", "/api/domains/empty")).isEqualTo(404);
  }

  @Test
  void theFileWinsWhereItNamesASetting() {
    String path = "/api/domains/plant";
    HttpResponse<String> first =
        put(
            path,
            "{\"trust\":\"approve\",\"window\":77,\"limits\":{\"payload\":500,\"resources\":9}}");
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    JsonNode domain = operator.read(path);
    assertThat(domain.path("trust").asString()).isEqualTo("first-use");
    assertThat(domain.path("limits").path("payload").asInt()).isEqualTo(1000);
    assertThat(domain.path("limits").path("resources").asInt()).isEqualTo(9);
    assertThat(domain.path("window").asInt()).isEqualTo(77);
    assertThat(domain.path("fileMembers")).hasToString("[\"limits.payload\",\"trust\"]");
    assertThat(domain.path("stored").path("trust").asString()).isEqualTo("approve");

    String tag = first.headers().firstValue("ETag").orElseThrow();
    assertThat(put(path, "{\"window\":78}", tag).statusCode()).isEqualTo(200);
    assertThat(put(path, "{\"window\":79}", tag).statusCode()).isEqualTo(412);
    assertThat(status("DELETE", path)).isEqualTo(204);
    assertThat(operator.read(path).path("window").asInt()).isEqualTo(4096);
    HttpResponse<String> none = operator.send("DELETE", path, "", "");
    assertThat(none.statusCode()).isEqualTo(409);
    assertThat(none.body()).contains("settings file");
  }

  @Test
  void refusalsNameTheMemberAndChangeNothing() {
    String path = "/api/domains/-";
    String before = operator.get(path).body();
    String[][] cases = {
      {"{\"window\":0}", "window: must be 1 to 32768"},
      {"{\"limits\":{\"payload\":1}}", "limits.payload: must be"},
      {"{\"history\":{\"values\":0}}", "history.values: must be"},
      {"{\"defaultWakeSeconds\":0}", "defaultWakeSeconds: takes 1 to"},
      {"{\"trust\":\"blind\"}", "trust: takes first-use, approve, listed"},
      {"{\"policy\":{\"read\":[\"everyone\"]}}", "policy.read: takes anyone"},
      {"{\"commanders\":[]}", "the body has an unknown member"},
    };
    for (String[] one : cases) {
      HttpResponse<String> refused = put(path, one[0]);
      assertThat(refused.statusCode()).as(one[0]).isEqualTo(400);
      assertThat(refused.body()).contains(one[1]);
    }
    assertThat(put("/api/domains/a%E2%80%AEb", "{}").statusCode()).isEqualTo(400);
    assertThat(operator.get(path).body()).isEqualTo(before);
  }

  @Test
  void anEnrolledKeySignsCommandsAtOnceUntilItIsRemoved() {
    SleepyEndpoint mote = new SleepyEndpoint("boiler");
    String id = register(mote, 1, "plant").headers().firstValue("Location").orElseThrow();
    SleepyEndpoint commander = new SleepyEndpoint("commander");
    String commanders = "/api/domains/plant/commanders";
    String path = commanders + "/" + commander.jkt();
    String value = id + "/temp";
    assertThat(command(value, commander, 1).statusCode()).isEqualTo(403);

    String body = "{\"jwk\":%s,\"name\":\"Ann's browser\"}".formatted(commander.jwk());
    HttpResponse<String> enrolled = put(path, body);
    assertThat(enrolled.statusCode()).as(enrolled.body()).isEqualTo(200);
    assertThat(enrolled.headers().firstValue("ETag")).isPresent();
    assertThat(command(value, commander, 1).statusCode()).isEqualTo(204);
    assertThat(command(value, fileCommander, 2).statusCode()).isEqualTo(204);
    JsonNode listed = operator.read(commanders).path("commanders");
    assertThat(listed.get(0).path("source").asString()).isEqualTo("file");
    assertThat(listed.get(1).path("source").asString()).isEqualTo("store");
    assertThat(listed.get(1).path("name").asString()).isEqualTo("Ann's browser");
    assertThat(operator.read("/api/domains/plant").path("commanders").size()).isEqualTo(2);

    assertThat(status("DELETE", path)).isEqualTo(204);
    assertThat(command(value, commander, 3).statusCode()).isEqualTo(403);
    assertThat(status("DELETE", commanders + "/" + fileCommander.jkt())).isEqualTo(409);
    assertThat(put(path, "{\"jwk\":{\"kty\":\"EC\"}}").statusCode()).isEqualTo(400);
    assertThat(put(commanders + "/" + mote.jkt(), body).statusCode()).isEqualTo(400);
    assertThat(operator.get("/api/audit").body())
        .contains("enrolled commander's key " + commander.jkt());
  }

  private HttpResponse<String> command(String value, SleepyEndpoint commander, long seq) {
    return anybody.send("PUT", value, JOSE, commander.command("boiler", "plant", "temp", seq));
  }

  @Test
  void storedDomainsAreThereAfterTheNextStart(@TempDir Path data) {
    SleepyEndpoint commander = new SleepyEndpoint("commander");
    try (InProcessGateway one = new InProcessGateway(data)) {
      OperatorClient first = new OperatorClient(one);
      first.send("PUT", "/api/domains/annex", JSON, "{\"window\":5}");
      first.send(
          "PUT",
          "/api/domains/annex/commanders/" + commander.jkt(),
          JSON,
          "{\"jwk\":" + commander.jwk() + "}");
    }
    try (InProcessGateway again = new InProcessGateway(data)) {
      JsonNode domain = new OperatorClient(again).read("/api/domains/annex");
      assertThat(domain.path("window").asInt()).isEqualTo(5);
      assertThat(domain.path("commanders").get(0).asString()).isEqualTo(commander.jkt());
    }
  }
}
