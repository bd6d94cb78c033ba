package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.bridge.NetworkSettings;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Radios, filter rules and the link key that administrators store. */
class NetworkSettingsApiTest {
  private static final String API = "/api/network/settings";
  private static final String JSON = "application/json";
  private static final String KEY = "000102030405060708090a0b0c0d0eff";
  private static final String WHOLE =
      """
      {"radios": [{"kind": "virtual", "port": 0}],
       "filter": ["allow in udp 5683-5684", "deny both any"],
       "linkSecurity": {"key": "%s", "level": 6}}"""
          .formatted(KEY);

  @TempDir Path folder = Path.of("");

  private static HttpResponse<String> put(InProcessGateway gateway, String body, String... match) {
    HttpRequest.Builder request =
        new HttpTestClient(gateway.address("http"))
            .to(API)
            .header("Authorization", "Bearer " + new OperatorClient(gateway).token())
            .header("Content-Type", JSON)
            .PUT(HttpRequest.BodyPublishers.ofString(body));
    if (match.length > 0) {
      request.header("If-Match", match[0]);
    }
    return new HttpTestClient(gateway.address("http")).send(request);
  }

  private static JsonNode read(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonMapper.builder().build().readTree(response.body());
  }

  private static JsonNode setting(OperatorClient operator, String name) {
    for (JsonNode one : operator.read("/api/settings").get("settings")) {
      if (one.get("name").asString().equals(name)) {
        return one;
      }
    }
    throw new AssertionError("no setting " + name);
  }

  @Test
  void theNextStartUsesStoredSettingsAndTheKeyIsNeverShown() throws IOException {
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      OperatorClient operator = new OperatorClient(gateway);
      assertThat(operator.read(API).has("stored")).isFalse();
      HttpResponse<String> stored = put(gateway, WHOLE);
      assertThat(read(stored).get("restartNeeded").asBoolean()).isTrue();
      assertThat(stored.body()).contains("\"level\":6", "virtual").doesNotContain(KEY, "key\"");
      assertThat(operator.get("/api/network").statusCode()).as("before a restart").isEqualTo(404);
      String trail = operator.get("/api/audit?limit=1000").body();
      assertThat(trail).contains("which the next start uses", "deny both any");
      assertThat(trail).doesNotContain(KEY, "sealed");
      String levelAlone = WHOLE.replace("\"key\": \"" + KEY + "\", ", "");
      assertThat(read(put(gateway, levelAlone)).get("stored").has("linkSecurity")).isTrue();
    }
    assertNoFileContains(KEY);
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      OperatorClient operator = new OperatorClient(gateway);
      JsonNode settings = operator.read(API);
      assertThat(settings.get("restartNeeded").asBoolean()).isFalse();
      assertThat(settings.has("problem")).isFalse();
      assertThat(operator.read("/api/network").get("radios")).hasSize(1);
      assertThat(gateway.bean(NetworkSettings.class).inForce().linkSecurity().key()).isEqualTo(KEY);
      assertThat(setting(operator, "border.radios[0].kind").get("source").asString())
          .isEqualTo("store");
      assertThat(setting(operator, "border.filter[0].allow").get("source").asString())
          .isEqualTo("store");
      JsonNode key = setting(operator, "border.link-security.key");
      assertThat(key.get("source").asString()).isEqualTo("store");
      assertThat(key.has("value")).isFalse();
      assertThat(setting(operator, "border.channel").get("source").asString()).isEqualTo("default");
      assertThat(operator.send("DELETE", API, "", "").statusCode()).isEqualTo(204);
      assertThat(operator.send("DELETE", API, "", "").statusCode()).isEqualTo(404);
      assertThat(operator.read(API).get("restartNeeded").asBoolean()).isTrue();
    }
  }

  private void assertNoFileContains(String text) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String octets = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(octets.contains(text)).as(file.toString()).isFalse();
      }
    }
  }

  @Test
  void wrongSettingsNameTheMemberAndStoreNothing() {
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      refused(gateway, "{\"radios\":[{\"kind\":\"laser\"}]}", "radios[0].kind: takes virtual");
      refused(gateway, "{\"radios\":[{\"kind\":\"tcp\",\"port\":70000}]}", "radios[0].port: takes");
      refused(gateway, "{\"radios\":[{\"kind\":\"serial\",\"device\":\"\"}]}", "radios[0].device:");
      refused(gateway, "{\"radios\":[null]}", "radios[0]: is null");
      refused(gateway, "{\"filter\":[\"allow in udp\",\"permit all\"]}", "filter[1]: ");
      refused(gateway, "{\"linkSecurity\":{\"level\":5}}", "linkSecurity.key: is missing");
      refused(gateway, "{\"linkSecurity\":{\"key\":\"abc\"}}", "linkSecurity: ");
      String level4 = "{\"linkSecurity\":{\"key\":\"" + KEY + "\",\"level\":4}}";
      refused(gateway, level4, "without integrity");
      assertThat(new OperatorClient(gateway).read(API).has("stored")).isFalse();
      read(put(gateway, "{}"));
      assertThat(put(gateway, "{}", "\"7\"").statusCode()).isEqualTo(412);
    }
  }

  @Test
  void anOldVersionIsRefusedEvenIfItKeepsARemovedKey() {
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      String old = put(gateway, WHOLE).headers().firstValue("ETag").orElseThrow();
      read(put(gateway, "{}", old));
      HttpResponse<String> late = put(gateway, "{\"linkSecurity\":{\"level\":5}}", old);
      assertThat(late.statusCode()).isEqualTo(412);
      assertThat(late.body()).contains("/problems/changed-meanwhile");
    }
  }

  private static void refused(InProcessGateway gateway, String body, String detail) {
    HttpResponse<String> response = put(gateway, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(response.body()).contains(detail, "/problems/invalid-body").doesNotContain(KEY);
  }

  @Test
  void aStoredRadioThatCannotBeOpenedDoesNotEndTheStart() throws IOException {
    try (DatagramSocket other = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      String radio = "{\"radios\":[{\"kind\":\"virtual\",\"port\":%d}]}";
      try (InProcessGateway gateway = new InProcessGateway(folder)) {
        read(put(gateway, radio.formatted(other.getLocalPort())));
      }
      try (InProcessGateway gateway = new InProcessGateway(folder)) {
        OperatorClient operator = new OperatorClient(gateway);
        assertThat(operator.read(API).get("problem").asString())
            .startsWith("cannot open the radio: ")
            .contains("UDP port " + other.getLocalPort());
        assertThat(operator.get("/api/network").statusCode()).isEqualTo(404);
        assertThat(operator.read("/api/settings").toString()).doesNotContain("border.radios[0]");
      }
    }
  }

  @Test
  void theFileWins() {
    String[] radio = {"--vigil.border.radios[0].kind=virtual", "--vigil.border.radios[0].port=0"};
    try (InProcessGateway gateway = new InProcessGateway(folder, radio)) {
      JsonNode stored =
          read(put(gateway, "{\"radios\":[{\"kind\":\"zep\",\"host\":\"127.0.0.1\"}]}"));
      assertThat(stored.get("fileMembers").toString()).isEqualTo("[\"radios\"]");
    }
    try (InProcessGateway gateway = new InProcessGateway(folder, radio)) {
      assertThat(gateway.bean(NetworkSettings.class).inForce().radios().getFirst().kind().name())
          .isEqualTo("VIRTUAL");
    }
  }
}
