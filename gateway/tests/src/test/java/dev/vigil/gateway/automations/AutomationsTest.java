package dev.vigil.gateway.automations;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.accounts.OwnerGrants;
import dev.vigil.gateway.automations.rules.Automation;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Automations that act on values, and their dry run. */
class AutomationsTest extends AutomationGateway {
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
    operator.send(
        "PUT", "/api/alarm-rules/automation", JSON, "{\"kind\":\"automation\",\"holdSeconds\":0}");
    await()
        .atMost(LONG)
        .until(() -> operator.get("/api/alarms").body().contains("automation fan does not act"));
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
    savedBy("ann", null);
    measure(2, 20);
    measure(3, 31);
    assertThat(finished("fan", 1).getFirst().get("results").get(0).get("outcome").asString())
        .isEqualTo("done");
    operator.send(
        "PUT", "/api/accounts/ann", JSON, "{\"roles\":[\"viewer:plant\"],\"enabled\":true}");
    await().atMost(LONG).until(() -> state("fan").equals("stopped"));
    assertThat(status("fan").get("problem").asString())
        .isEqualTo("the account ann does not exist or may not operate the domain");
    measure(4, 20);
    measure(5, 31);
    JsonNode result = finished("fan", 2).getFirst().get("results").get(0);
    assertThat(result.get("outcome").asString()).isEqualTo("failed");
    assertThat(result.get("text").asString()).contains("ann");
    assertThat(commands()).hasSize(1);
  }

  @Test
  void itDoesNotActForALaterAccountOfTheName() {
    String account = "{\"name\":\"ann\",\"roles\":[\"operator:plant\"]}";
    assertThat(operator.send("POST", "/api/accounts", JSON, account).statusCode()).isEqualTo(201);
    Instant present = requireNonNull(gateway.bean(OwnerGrants.class).made("ann"));
    savedBy("ann", present.minusSeconds(1));
    await().atMost(LONG).until(() -> state("fan").equals("stopped"));
    savedBy("ann", present);
    measure(2, 20);
    measure(3, 31);
    assertThat(finished("fan", 1).getFirst().get("results").get(0).get("outcome").asString())
        .isEqualTo("done");
  }

  /** Stores the automation as if an account had saved it that was made at a time. */
  private void savedBy(String account, @Nullable Instant made) {
    save("fan", fan());
    Automations automations = gateway.bean(Automations.class);
    Automation of = automations.get("fan").orElseThrow().value();
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
                account,
                made,
                of.savedAt()),
            OptionalLong.empty(),
            "account:" + account)
        .join();
  }

  /** The oldest value is alone in its minute, whose aggregate exists too. */
  @Test
  void aDryRunReadsNoValueTwice() {
    measure(2, 31, Instant.now().getEpochSecond() - 120);
    measure(3, 20);
    HttpResponse<String> answer =
        operator.send(
            "POST", "/api/automations/dry-run", JSON, "{\"automation\":" + fan() + ",\"days\":1}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode dry = MAPPER.readTree(answer.body());
    assertThat(dry.get("sources").get(0).get("source").asString()).isEqualTo("values");
    assertThat(dry.get("count").asInt()).isEqualTo(1);
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
}
