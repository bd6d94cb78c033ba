package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Endpoints that operators forget, and decisions about many keys in one request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForgetTest {
  private static final String JSON = "application/json";
  private static final String JOSE = "application/jose";
  private static final String LINKS = "</temp>;rt=\"t\"";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private OperatorClient operator;
  private HttpTestClient anybody;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.trust=first-use",
            "--vigil.domains.careful.trust=approve");
    operator = new OperatorClient(gateway);
    anybody = new HttpTestClient(gateway.address("http"));
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private HttpResponse<String> register(SleepyEndpoint mote, long seq, String d) {
    return anybody.send("POST", "/ms", JOSE, mote.registration(seq, LINKS, d));
  }

  private String idOf(HttpResponse<String> registered) {
    assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
    String path = registered.headers().firstValue("Location").orElseThrow();
    return path.substring("/ms/".length());
  }

  private int update(String id, SleepyEndpoint mote, long seq) {
    return anybody
        .send("PUT", "/ms/" + id + "/temp", JOSE, mote.update("temp", seq, seq))
        .statusCode();
  }

  @Test
  void aForgottenEndpointLosesItsValuesAndNothingOfItIsReplayed() {
    SleepyEndpoint mote = new SleepyEndpoint("boiler");
    String id = idOf(register(mote, 1, ""));
    assertThat(update(id, mote, 2)).isEqualTo(201);
    assertThat(update(id, mote, 3)).isEqualTo(204);
    assertThat(anybody.send("DELETE", "/api/endpoints/" + id, "", "").statusCode()).isEqualTo(401);

    assertThat(operator.send("DELETE", "/api/endpoints/" + id, "", "").statusCode()).isEqualTo(204);
    assertThat(operator.get("/api/endpoints/" + id).statusCode()).isEqualTo(404);
    assertThat(anybody.get("/ms/" + id + "/temp").statusCode()).isEqualTo(404);
    assertThat(anybody.get("/rd-lookup/ep?ep=boiler").body()).doesNotContain("boiler");
    assertThat(operator.get("/api/audit").body()).contains("forgot the endpoint");
    assertThat(operator.send("DELETE", "/api/endpoints/" + id, "", "").statusCode()).isEqualTo(404);

    assertThat(register(mote, 1, "").statusCode()).as("a replay").isEqualTo(409);
    String again = idOf(register(mote, 4, ""));
    assertThat(update(again, mote, 5)).isEqualTo(201);
    JsonNode past = operator.read("/api/endpoints/" + again + "/resources/temp/history");
    assertThat(past.path("values").size()).isEqualTo(1);
  }

  @Test
  void withdrawnEndpointsAreForgottenLikeOthers() {
    String alone = withdrawn("scrapped");
    assertThat(operator.send("DELETE", "/api/endpoints/" + alone, "", "").statusCode())
        .isEqualTo(204);
    assertThat(operator.get("/api/endpoints/" + alone).statusCode()).isEqualTo(404);
    assertThat(operator.get("/api/endpoints/" + alone + "/resources/temp/history").statusCode())
        .isEqualTo(404);
    String amongMany = withdrawn("sold");
    assertThat(statuses("/api/endpoints/forget", "{\"ids\":[\"" + amongMany + "\"]}"))
        .containsExactly(204);
    assertThat(operator.get("/api/endpoints?ep=sold").body()).doesNotContain(amongMany);
  }

  /** The id of an endpoint that withdrew after an update. */
  private String withdrawn(String ep) {
    SleepyEndpoint mote = new SleepyEndpoint(ep);
    String id = idOf(register(mote, 1, ""));
    assertThat(update(id, mote, 2)).isEqualTo(201);
    assertThat(anybody.send("POST", "/ms", JOSE, mote.withdrawal(3)).statusCode())
        .isBetween(200, 204);
    assertThat(operator.get("/api/endpoints?ep=" + ep).body()).as("still listed").contains(id);
    return id;
  }

  @Test
  void manyAreForgottenInOneRequestWithOneOutcomeEach() {
    String one = idOf(register(new SleepyEndpoint("one"), 1, ""));
    String other = idOf(register(new SleepyEndpoint("other"), 1, ""));
    String body = "{\"ids\":[\"%s\",\"no-such-id\",\"%s\"]}".formatted(one, other);
    assertThat(statuses("/api/endpoints/forget", body)).containsExactly(204, 404, 204);
    assertThat(operator.get("/api/endpoints/" + other).statusCode()).isEqualTo(404);
    for (String wrong : List.of("{}", "{\"ids\":[null]}", "{\"ids\":" + many() + "}")) {
      HttpResponse<String> refused = operator.send("POST", "/api/endpoints/forget", JSON, wrong);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    }
  }

  private static String many() {
    return Collections.nCopies(101, "\"a\"").toString();
  }

  @Test
  void manyKeysAreDecidedInOneRequestWithOneOutcomeEach() {
    SleepyEndpoint good = new SleepyEndpoint("good");
    SleepyEndpoint bad = new SleepyEndpoint("bad");
    String goodId = idOf(register(good, 1, "careful"));
    String badId = idOf(register(bad, 1, "careful"));
    String body =
        "{\"decisions\":[%s,%s,%s,%s]}"
            .formatted(
                decision(good, goodId, "approve"),
                decision(bad, badId, "refuse"),
                decision(bad, badId, "refuse"),
                decision(good, goodId, "ponder"));
    assertThat(statuses("/api/keys/decisions", body)).containsExactly(204, 204, 409, 400);
    assertThat(operator.read("/api/endpoints/" + goodId).path("trust").asString())
        .isEqualTo("trusted");
    assertThat(operator.get("/api/endpoints/" + badId).statusCode()).isEqualTo(404);
  }

  private static String decision(SleepyEndpoint mote, String id, String decision) {
    return "{\"thumbprint\":\"%s\",\"endpoint\":\"%s\",\"decision\":\"%s\"}"
        .formatted(mote.jkt(), id, decision);
  }

  @Test
  void anOperatorOfAnotherDomainForgetsNothing() {
    String id = idOf(register(new SleepyEndpoint("foreign"), 1, ""));
    HttpResponse<String> made =
        operator.send(
            "POST", "/api/tokens", JSON, "{\"name\":\"careful\",\"roles\":[\"operator:careful\"]}");
    String token = JsonMapper.shared().readTree(made.body()).path("token").asString();
    HttpResponse<String> refused =
        anybody.send(
            anybody.to("/api/endpoints/" + id).header("Authorization", "Bearer " + token).DELETE());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(operator.get("/api/endpoints/" + id).statusCode()).isEqualTo(200);
  }

  private List<Integer> statuses(String path, String body) {
    HttpResponse<String> answer = operator.send("POST", path, JSON, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    List<Integer> statuses = new ArrayList<>();
    for (JsonNode one : JsonMapper.shared().readTree(answer.body()).path("results")) {
      statuses.add(one.path("status").asInt());
    }
    return statuses;
  }
}
