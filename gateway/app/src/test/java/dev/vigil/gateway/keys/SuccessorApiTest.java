package dev.vigil.gateway.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The replacement of a mote by another one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuccessorApiTest {
  private static final String LINKS = "</temp>;rt=\"temperature\"";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  /** Registers a mote that has sent a value; the id of its endpoint. */
  private String running(SleepyEndpoint mote) {
    String entry = http.register(mote, 1, LINKS);
    assertThat(update(entry, mote.update("temp", 2, 20))).isEqualTo(201);
    return entry.substring("/ms/".length());
  }

  private int update(String entry, String jws) {
    return http.send("PUT", entry + "/temp", "application/jose", jws).statusCode();
  }

  private HttpResponse<String> name(String id, SleepyEndpoint successor) {
    return operator.send(
        "PUT",
        "/api/endpoints/" + id + "/successor",
        "application/json",
        "{\"thumbprint\":\"" + successor.jkt() + "\"}");
  }

  private void register(SleepyEndpoint mote, long seq) {
    http.send("POST", "/ms?ep=" + mote.ep(), "application/jose", mote.registration(seq, LINKS));
  }

  @Test
  void theSuccessorTakesOverTheNameWithItsHistory() {
    SleepyEndpoint old = new SleepyEndpoint("boiler");
    SleepyEndpoint next = new SleepyEndpoint("boiler");
    String id = running(old);
    String path = "/api/endpoints/" + id + "/successor";
    assertThat(operator.get(path).statusCode()).isEqualTo(404);
    assertThat(name(id, next).body()).contains("\"expected\"");
    assertThat(operator.read(path).get("thumbprint").asString()).isEqualTo(next.jkt());
    assertThat(update("/ms/" + id, old.update("temp", 3, 21))).as("until then").isEqualTo(204);
    register(next, 4);
    JsonNode endpoint = operator.read("/api/endpoints/" + id);
    assertThat(endpoint.get("keyThumbprint").asString()).isEqualTo(next.jkt());
    assertThat(endpoint.get("trust").asString()).isEqualTo("trusted");
    assertThat(update("/ms/" + id, next.update("temp", 5, 22))).isEqualTo(204);
    assertThat(update("/ms/" + id, old.update("temp", 6, 23))).isIn(401, 403);
    String history = "/api/endpoints/" + id + "/resources/temp/history";
    assertThat(operator.read(history).get("values")).hasSize(3);
    assertThat(operator.send("DELETE", path, "", "").statusCode()).as("too late").isEqualTo(404);
    assertThat(name(id, next).statusCode()).as("it has the key").isEqualTo(409);
    assertThat(operator.get("/api/audit?ep=boiler").body())
        .contains("approved for the next registration", next.jkt(), "account:operator");
  }

  @Test
  void aMoteThatWithdrewIsReplacedWithItsHistory() {
    SleepyEndpoint old = new SleepyEndpoint("fan");
    SleepyEndpoint next = new SleepyEndpoint("fan");
    String id = running(old);
    assertThat(http.send("POST", "/ms", "application/jose", old.withdrawal(3)).statusCode())
        .isBetween(200, 204);
    assertThat(name(id, next).body()).contains("\"expected\"");
    register(next, 4);
    assertThat(update("/ms/" + id, next.update("temp", 5, 22))).isEqualTo(204);
    JsonNode endpoint = operator.read("/api/endpoints/" + id);
    assertThat(endpoint.get("keyThumbprint").asString()).isEqualTo(next.jkt());
    String history = "/api/endpoints/" + id + "/resources/temp/history";
    assertThat(operator.read(history).get("values")).hasSize(2);
  }

  @Test
  void itIsUndoneUntilTheSuccessorRegisters() {
    SleepyEndpoint old = new SleepyEndpoint("pump");
    SleepyEndpoint wrong = new SleepyEndpoint("pump");
    SleepyEndpoint other = new SleepyEndpoint("pump");
    String id = running(old);
    String path = "/api/endpoints/" + id + "/successor";
    name(id, wrong);
    name(id, other);
    assertThat(operator.read(path).get("thumbprint").asString()).isEqualTo(other.jkt());
    register(wrong, 3);
    assertThat(state(wrong)).as("expected no more").isEqualTo("held");
    assertThat(operator.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
    register(other, 4);
    assertThat(state(other)).isEqualTo("held");
    assertThat(operator.read("/api/endpoints/" + id).get("keyThumbprint").asString())
        .isEqualTo(old.jkt());
    assertThat(name(id, other).body()).as("it is there already").contains("\"in-place\"");
  }

  private String state(SleepyEndpoint mote) {
    return operator.read("/api/keys/" + mote.jkt()).get("keys").get(0).get("state").asString();
  }

  @Test
  void onlyThumbprintsOfUnrevokedKeysAreTaken() {
    SleepyEndpoint old = new SleepyEndpoint("valve");
    SleepyEndpoint revoked = new SleepyEndpoint("valve");
    String id = running(old);
    String path = "/api/endpoints/" + id + "/successor";
    operator.post("/api/keys/" + revoked.jkt() + "/revoke");
    assertThat(name(id, revoked).statusCode()).isEqualTo(403);
    String nonsense = "{\"thumbprint\":\"nonsense\"}";
    assertThat(operator.send("PUT", path, "application/json", nonsense).statusCode())
        .isEqualTo(400);
    assertThat(operator.send("PUT", path, "application/json", "{}").body()).contains("is missing");
    assertThat(name("no-such-id", old).statusCode()).isEqualTo(404);
  }
}
