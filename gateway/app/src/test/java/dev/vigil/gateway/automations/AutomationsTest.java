package dev.vigil.gateway.automations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.commanders.CommandException;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Automations: their REST, and the commands that they send. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // JUnit calls start() before any test
class AutomationsTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String JSON = "application/json";
  private static final String LINKS =
      "</temp>;rt=\"t\",</fan>;rt=\"f\";if=\"core.a\";enum=\"0 1\",</hum>;rt=\"h\"";
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path folder = Path.of("");

  private final SleepyEndpoint mote = new SleepyEndpoint("mote");
  private CommanderKey key;
  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;
  private String id;

  @BeforeEach
  void start() throws IOException, CommandException {
    key = CommanderKey.create(folder.resolve("commander.jwk"), new SecureRandom());
    open();
    HttpResponse<String> answer =
        http.send("POST", "/ms", "application/jose", mote.registration(1, LINKS, "plant"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    id = answer.headers().firstValue("Location").orElseThrow().substring("/ms/".length());
  }

  private void open() {
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

  private void measure(long seq, double value) {
    HttpResponse<String> answer =
        http.send(
            "PUT", "/ms/" + id + "/temp", "application/jose", mote.update("temp", seq, value));
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 204);
  }

  private static String condition(String path) {
    return "{\"kind\":\"value\",\"ep\":\"mote\",\"path\":\"%s\",\"above\":30}".formatted(path);
  }

  private static String command(String path, String value) {
    return "{\"kind\":\"command\",\"ep\":\"mote\",\"path\":\"%s\",\"value\":%s}"
        .formatted(path, value);
  }

  private static String body(String conditions, String actions, String more) {
    return "{\"d\":\"plant\",\"conditions\":[%s],\"actions\":[%s]%s}"
        .formatted(conditions, actions, more);
  }

  private static String fan() {
    return body(condition("temp"), command("fan", "1"), ",\"cooldownSeconds\":0");
  }

  private HttpResponse<String> put(String name, String body) {
    return operator.send("PUT", "/api/automations/" + name, JSON, body);
  }

  private void save(String name, String body) {
    HttpResponse<String> answer = put(name, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private List<JsonNode> runs(String name) {
    JsonNode runs = operator.read("/api/automations/" + name + "/runs").get("runs");
    return StreamSupport.stream(runs.spliterator(), false).toList();
  }

  private List<JsonNode> finished(String name, int count) {
    return await()
        .atMost(LONG)
        .until(
            () -> runs(name),
            runs ->
                runs.size() == count
                    && runs.stream()
                        .noneMatch(run -> run.get("results").toString().contains("pending")));
  }

  private JsonNode status(String name) {
    return operator.read("/api/automations/" + name).get("status");
  }

  private String state(String name) {
    return status(name).get("state").asString();
  }

  private JsonNode commands() {
    return operator.read("/api/endpoints/" + id + "/resources/fan/commands").get("commands");
  }

  @Test
  void aValueAboveTheLimitSendsASignedCommand() {
    save("fan", fan());
    measure(2, 25);
    measure(3, 31.5);
    JsonNode run = finished("fan", 1).getFirst();
    assertThat(run.get("text").asString()).isEqualTo("temp of mote is 31.5 Cel");
    JsonNode result = run.get("results").get(0);
    assertThat(result.get("outcome").asString()).as(run.toString()).isEqualTo("done");
    assertThat(result.get("command").asLong()).isEqualTo(1);
    assertThat(result.get("commandState").asString()).isEqualTo("queued");
    JsonNode command = commands().get(0);
    assertThat(command.get("path").asString()).isEqualTo("fan");
    assertThat(command.get("by").asString()).isEqualTo(key.thumbprint());
    assertThat(operator.get("/api/audit").body())
        .contains("made automation fan")
        .contains("ran automation fan (run 1): temp of mote is 31.5 Cel")
        .contains("account:operator/automation:fan");
    await().atMost(LONG).until(() -> state("fan").equals("acted"));
    measure(4, 20);
    await().atMost(LONG).until(() -> state("fan").equals("waiting"));
    measure(5, 31);
    assertThat(finished("fan", 2)).hasSize(2);
    assertThat(commands()).hasSize(2);
  }

  @Test
  void aRestartDoesNotRepeatAnActionAndLosesNone() {
    save("fan", fan());
    measure(2, 31);
    finished("fan", 1);
    await().atMost(LONG).until(() -> state("fan").equals("acted"));
    stop();
    open();
    measure(3, 32);
    measure(4, 20);
    await().atMost(LONG).until(() -> state("fan").equals("waiting"));
    assertThat(runs("fan")).hasSize(1);
    measure(5, 31);
    finished("fan", 2);
  }

  @Test
  void eachReadingIsEvaluatedHoweverFastTheyFollow() {
    save("fan", fan());
    for (int i = 0; i < 5; i++) {
      measure(2 * i + 2, 31);
      measure(2 * i + 3, 20);
    }
    assertThat(finished("fan", 5)).hasSize(5);
  }

  @Test
  void badInputNamesTheMemberAndChangesNothing() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry(body("", "", ""), "conditions: is empty"),
            Map.entry(body(condition("temp"), "", ""), "actions: is empty"),
            Map.entry(
                body(condition("temp"), command("fan", "1"), ",\"holdSeconds\":-1"),
                "holdSeconds: takes 0 to 604800"),
            Map.entry(
                body(
                    "{\"kind\":\"value\",\"ep\":\"mote\",\"path\":\"temp\"}",
                    command("fan", "1"),
                    ""),
                "conditions[0].above: or below is needed"),
            Map.entry(
                body(
                    "{\"kind\":\"rate\",\"ep\":\"mote\",\"path\":\"temp\",\"above\":1}",
                    command("fan", "1"),
                    ""),
                "conditions[0].perSeconds: is missing"),
            Map.entry(
                body(
                    "{\"kind\":\"age\",\"ep\":\"mote\",\"path\":\"temp\",\"seconds\":1,\"above\":1}",
                    command("fan", "1"),
                    ""),
                "conditions[0].above: does not apply to this kind"),
            Map.entry(
                body("{\"kind\":\"often\"}", command("fan", "1"), ""),
                "the member conditions.kind of the body takes one of value, rate, age"),
            Map.entry(
                body(condition("temp").replace("mote", "cat"), command("fan", "1"), ""),
                "conditions[0].ep: no endpoint of this domain has this name"),
            Map.entry(
                body(condition("wind"), command("fan", "1"), ""),
                "conditions[0].path: this endpoint has no such resource; it has temp, fan, hum"),
            Map.entry(
                body(
                    condition("temp").replace("\"above\"", "\"unit\":\"K\",\"above\""),
                    command("fan", "1"),
                    ""),
                "conditions[0].unit: the last value has no number with this unit; it has Cel"),
            Map.entry(
                body(condition("temp"), command("hum", "1"), ""),
                "actions[0].path: this resource does not accept commands"),
            Map.entry(
                body(condition("temp"), command("fan", "7"), ""),
                "actions[0].value: fan takes 0 or 1, not 7"),
            Map.entry(
                body(condition("temp"), command(".keys", "1"), ""),
                "actions[0].path: is not a resource that an automation may command"),
            Map.entry(
                body(condition("temp"), "{\"kind\":\"webhook\",\"destination\":\"shop\"}", ""),
                "actions[0].destination: the settings name no such webhook for this domain"),
            Map.entry(
                body(
                    condition("temp"),
                    "{\"kind\":\"mqtt\",\"destination\":\"home\",\"topic\":\"a/#\"}",
                    ""),
                "actions[0].topic: holds a wildcard"),
            Map.entry(
                body(
                    condition("temp"),
                    command("fan", "1"),
                    ",\"schedule\":{\"zone\":\"Mars\",\"from\":\"06:00\"}"),
                "schedule.zone: is no name of the IANA time zone database"),
            Map.entry(
                body(
                    condition("temp"),
                    command("fan", "1"),
                    ",\"schedule\":{\"zone\":\"UTC\",\"from\":\"25:00\"}"),
                "schedule.from: takes a time such as 06:30"));
    measure(2, 20);
    wrong.forEach(
        (sent, reason) -> {
          HttpResponse<String> answer = put("wrong", sent);
          assertThat(answer.statusCode()).as(sent).isEqualTo(400);
          assertThat(answer.body()).as(sent).contains(reason);
        });
    assertThat(operator.read("/api/automations").get("automations")).isEmpty();
  }

  @Test
  void aCommandNeedsADomainThatAcceptsTheKey() {
    SleepyEndpoint other = new SleepyEndpoint("desk");
    http.send("POST", "/ms", "application/jose", other.registration(1, LINKS, "office"));
    HttpResponse<String> answer =
        put("desk", fan().replace("plant", "office").replace("mote", "desk"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("actions[0].kind: the domain does not accept commands of this gateway")
        .contains(key.thumbprint());
  }

  @Test
  void aLoopIsRefusedAndNamed() {
    String two = LINKS.replace("</temp>;rt=\"t\"", "</temp>;rt=\"t\";if=\"core.a\"");
    http.send("POST", "/ms", "application/jose", mote.registration(2, two, "plant"));
    save("fan", fan());
    HttpResponse<String> answer =
        put("back", body(condition("fan"), command("temp", "1"), ",\"enabled\":false"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains(
            "actions: make a loop: back commands temp of mote, fan commands fan of mote, which"
                + " starts back again");
  }

  @Test
  void tooManyRunsSuspendItUntilItIsSavedAgain() {
    String body =
        body(condition("temp"), command("fan", "1"), ",\"cooldownSeconds\":0,\"maxRunsPerHour\":2");
    save("fan", body);
    for (int i = 0; i < 4; i++) {
      measure(2 * i + 2, 31);
      measure(2 * i + 3, 20);
    }
    await().atMost(LONG).until(() -> state("fan").equals("suspended"));
    assertThat(finished("fan", 2)).hasSize(2);
    assertThat(operator.get("/api/audit").body())
        .contains("suspended automation fan: it ran 2 times within an hour");
    save("fan", body);
    await().atMost(LONG).until(() -> state("fan").equals("waiting"));
    measure(20, 31);
    finished("fan", 3);
  }

  @Test
  void itActsOnlyWithThePresentRightsOfTheAccountThatSavedIt() {
    String account = "{\"name\":\"ann\",\"roles\":[\"operator:plant\"]}";
    JsonNode made = MAPPER.readTree(operator.send("POST", "/api/accounts", JSON, account).body());
    assertThat(made.get("oneTimePassword").asString()).isNotEmpty();
    // The records name the account that saved it.
    save("fan", fan());
    Automations automations = gateway.bean(Automations.class);
    var stored = automations.get("fan").orElseThrow();
    var of = stored.value();
    automations
        .put(
            "fan",
            new Automation(
                of.name(),
                of.d(),
                true,
                of.match(),
                of.conditions(),
                of.schedule(),
                0,
                0,
                60,
                of.actions(),
                "ann",
                of.savedAt()),
            OptionalLong.empty(),
            "account:ann")
        .join();
    measure(2, 20);
    measure(3, 31);
    assertThat(finished("fan", 1).getFirst().get("results").get(0).get("outcome").asString())
        .isEqualTo("done");
    operator.send(
        "PUT", "/api/accounts/ann", JSON, "{\"roles\":[\"viewer:plant\"],\"enabled\":true}");
    await().atMost(LONG).until(() -> state("fan").equals("stopped"));
    assertThat(status("fan").get("problem").asString())
        .isEqualTo("the account ann is gone or must not operate the domain");
    measure(4, 20);
    measure(5, 31);
    JsonNode result = finished("fan", 2).getFirst().get("results").get(0);
    assertThat(result.get("outcome").asString()).isEqualTo("failed");
    assertThat(result.get("text").asString()).contains("ann");
    assertThat(commands()).hasSize(1);
  }

  @Test
  void aDryRunShowsWhatItWouldHaveDone() {
    for (int i = 0; i < 3; i++) {
      measure(2 * i + 2, 31 + i);
      measure(2 * i + 3, 20);
    }
    HttpResponse<String> answer =
        operator.send(
            "POST", "/api/automations/dry-run", JSON, "{\"automation\":" + fan() + ",\"days\":1}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode dry = MAPPER.readTree(answer.body());
    assertThat(dry.get("count").asInt()).isEqualTo(3);
    assertThat(dry.get("runs").get(1).get("text").asString()).isEqualTo("temp of mote is 32 Cel");
    assertThat(dry.get("sources").get(0).get("source").asString()).isEqualTo("values");
    assertThat(dry.has("problem")).isFalse();
    assertThat(commands()).isEmpty();
    assertThat(operator.read("/api/automations").get("automations")).isEmpty();
  }

  @Test
  void anAnswerCanBeSentBackAndAnOldVersionIsRefused() {
    save("fan", fan());
    HttpResponse<String> answer = operator.get("/api/automations/fan");
    String tag = answer.headers().firstValue("ETag").orElseThrow();
    save("fan", answer.body());
    HttpResponse<String> refused =
        http.send(
            http.to("/api/automations/fan")
                .header("Authorization", "Bearer " + operator.token())
                .header("Content-Type", JSON)
                .header("If-Match", tag)
                .PUT(HttpRequest.BodyPublishers.ofString(answer.body())));
    assertThat(refused.statusCode()).isEqualTo(412);
    assertThat(operator.send("DELETE", "/api/automations/fan", "", "").statusCode()).isEqualTo(204);
    assertThat(operator.get("/api/automations/fan").statusCode()).isEqualTo(404);
  }

  @Test
  void theListNamesWhatAutomationsMayUse() {
    JsonNode list = operator.read("/api/automations");
    assertThat(list.get("commanderKey").asString()).isEqualTo(key.thumbprint());
    assertThat(list.get("domains").toString())
        .contains("{\"d\":\"plant\",\"commands\":true,\"webhooks\":[],\"brokers\":[]}")
        .contains("{\"d\":\"office\",\"commands\":false,\"webhooks\":[],\"brokers\":[]}");
  }
}
