package dev.vigil.gateway.automations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.http.RawHttp;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Requests that list, save and remove automations. */
class AutomationRequestsTest extends AutomationGateway {
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
                "conditions[0].above: is missing; above or below is needed"),
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
                "the member conditions[0].kind of the body takes one of value, rate, age"),
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
  void aSlowRequestDoesNotReplaceAnAutomationOfAnotherDomain() throws IOException {
    save("model", fan());
    Automations automations = gateway.bean(Automations.class);
    Automation office = inOffice(automations.get("model").orElseThrow().value());
    String token =
        MAPPER
            .readTree(
                operator
                    .send(
                        "POST",
                        "/api/tokens",
                        JSON,
                        "{\"name\":\"plant\",\"roles\":[\"operator:plant\"]}")
                    .body())
            .get("token")
            .asString();
    String path = "/api/automations/fan";
    try (Socket slow = RawHttp.beginPut(gateway.address("http"), path, token, fan())) {
      // The domain accepts no commands of this gateway, so the request of its operator is left out.
      Outcome made = automations.put("fan", office, OptionalLong.of(0), "account:clerk").join();
      assertThat(made).isInstanceOf(Outcome.Done.class);
      assertThat(RawHttp.endPut(slow, fan()).status()).isEqualTo(403);
    }
    assertThat(operator.read(path).get("d").asString()).isEqualTo("office");
  }

  private static Automation inOffice(Automation of) {
    return new Automation(
        of.name(),
        "office",
        false,
        of.match(),
        of.conditions(),
        of.schedule(),
        0,
        0,
        60,
        of.actions(),
        of.by(),
        of.byMade(),
        of.savedAt());
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
