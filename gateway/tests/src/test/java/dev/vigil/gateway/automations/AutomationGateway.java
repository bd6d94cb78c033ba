package dev.vigil.gateway.automations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.commanders.CommandException;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway that may command a mote with a temperature and a fan. */
@Timeout(120)
abstract class AutomationGateway {
  static final JsonMapper MAPPER = JsonMapper.builder().build();
  static final String JSON = "application/json";
  static final String LINKS =
      "</temp>;rt=\"t\",</fan>;rt=\"f\";if=\"core.a\";enum=\"0 1\",</hum>;rt=\"h\"";
  static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path folder = Path.of("");

  final SleepyEndpoint mote = new SleepyEndpoint("mote");
  CommanderKey key;
  InProcessGateway gateway;
  HttpTestClient http;
  OperatorClient operator;
  String id;

  @BeforeEach
  void start() throws IOException, CommandException {
    key = CommanderKey.create(folder.resolve("commander.jwk"), new SecureRandom());
    open();
    HttpResponse<String> answer =
        http.send("POST", "/ms", "application/jose", mote.registration(1, LINKS, "plant"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    id = answer.headers().firstValue("Location").orElseThrow().substring("/ms/".length());
  }

  final void open() {
    gateway =
        new InProcessGateway(
            folder.resolve("data"),
            "--vigil.domains.plant.trust=first-use",
            "--vigil.domains.plant.commanders[0]=" + key.jwk(),
            "--vigil.domains.office.trust=first-use",
            "--vigil.automations.commander-key=" + folder.resolve("commander.jwk"));
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  void measure(long seq, double value) {
    send(mote.update("temp", seq, value));
  }

  /** A value with its time in Unix seconds. */
  void measure(long seq, double value, long at) {
    send(mote.measured("temp", seq, value, at));
  }

  private void send(String update) {
    HttpResponse<String> answer =
        http.send("PUT", "/ms/" + id + "/temp", "application/jose", update);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 204);
  }

  static String condition(String path) {
    return "{\"kind\":\"value\",\"ep\":\"mote\",\"path\":\"%s\",\"above\":30}".formatted(path);
  }

  static String command(String path, String value) {
    return "{\"kind\":\"command\",\"ep\":\"mote\",\"path\":\"%s\",\"value\":%s}"
        .formatted(path, value);
  }

  static String body(String conditions, String actions, String more) {
    return "{\"d\":\"plant\",\"conditions\":[%s],\"actions\":[%s]%s}"
        .formatted(conditions, actions, more);
  }

  static String fan() {
    return body(condition("temp"), command("fan", "1"), ",\"cooldownSeconds\":0");
  }

  HttpResponse<String> put(String name, String body) {
    return operator.send("PUT", "/api/automations/" + name, JSON, body);
  }

  void save(String name, String body) {
    HttpResponse<String> answer = put(name, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  List<JsonNode> runs(String name) {
    JsonNode runs = operator.read("/api/automations/" + name + "/runs").get("runs");
    return StreamSupport.stream(runs.spliterator(), false).toList();
  }

  List<JsonNode> finished(String name, int count) {
    return await()
        .atMost(LONG)
        .until(
            () -> runs(name),
            runs ->
                runs.size() == count
                    && runs.stream()
                        .noneMatch(run -> run.get("results").toString().contains("pending")));
  }

  JsonNode status(String name) {
    return operator.read("/api/automations/" + name).get("status");
  }

  String state(String name) {
    return status(name).get("state").asString();
  }

  JsonNode commands() {
    return operator.read("/api/endpoints/" + id + "/resources/fan/commands").get("commands");
  }
}
