package dev.vigil.gateway.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SystemApiTest {
  private static final String SECRET = "a-token-for-scrapers";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private OperatorClient operator;

  @BeforeAll
  void start() throws IOException {
    Path file = folder.resolve("site.yaml");
    Path secretFile = folder.resolve("webhook.secret");
    Files.writeString(secretFile, "0123456789abcdef0123456789abcdef");
    Files.setPosixFilePermissions(secretFile, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        file,
        """
        vigil:
          metrics.token: %s
          northbound:
            webhook:
              ops:
                url: "http://127.0.0.1:9/hook-4711?sig=query-4711"
                secret-file: %s
                headers: {X-Gotify-Key: key-4711}
            influxdb:
              db: {url: "http://127.0.0.1:9/write?db=x&p=query-4711"}
          domains:
            plant:
              trust: listed
              default-wake: 90s
        """
            .formatted(SECRET, secretFile));
    gateway =
        new InProcessGateway(
            folder.resolve("data"),
            "--vigil.border.radios[0].kind=virtual",
            "--vigil.border.radios[0].port=0",
            "--spring.config.additional-location=" + file);
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  @Test
  void healthIsReportedByPartAndTheStoreHasFigures() {
    JsonNode system = operator.read("/api/system");
    assertThat(system.path("status").asString()).isEqualTo("UP");
    Map<String, String> parts = new HashMap<>();
    for (JsonNode part : system.path("parts")) {
      parts.put(part.path("name").asString(), part.path("status").asString());
    }
    assertThat(parts)
        .containsEntry("store", "UP")
        .containsEntry("radio", "UP")
        .containsEntry("clock", "UP")
        .containsKeys("directory", "publish", "northbound")
        .doesNotContainKey("ping");
    assertThat(system.path("store").path("written").asLong()).isPositive();
    assertThat(system.path("store").path("octets").asLong()).isPositive();
    assertThat(system.path("disk").path("free").asLong())
        .isPositive()
        .isLessThanOrEqualTo(system.path("disk").path("total").asLong());
  }

  @Test
  void eachSettingNamesItsSource() {
    assertThat(setting("domains.plant.trust"))
        .hasToString(
            "{\"name\":\"domains.plant.trust\",\"value\":\"listed\",\"secret\":false,"
                + "\"source\":\"file\",\"place\":\"site.yaml, line 13\"}");
    assertThat(setting("domains.plant.default-wake").path("value").asString()).isEqualTo("90s");
    assertThat(setting("http.port").path("source").asString()).isEqualTo("option");
    assertThat(setting("border.radios[0].kind").path("value").asString()).isEqualTo("virtual");
    assertThat(setting("trust").path("source").asString()).isEqualTo("default");
    assertThat(setting("trust").path("value").asString()).isEqualTo("approve");
    assertThat(setting("accounts.session-max").path("value").asString()).isEqualTo("12h");
  }

  @Test
  void secretsHaveNoValue() {
    JsonNode token = setting("metrics.token");
    assertThat(token.has("value")).isFalse();
    assertThat(token.path("secret").asBoolean()).isTrue();
    assertThat(token.path("source").asString()).isEqualTo("file");
    assertThat(operator.get("/api/settings").body()).doesNotContain(SECRET).doesNotContain("4711");
    assertThat(setting("northbound.webhook.ops.url").path("secret").asBoolean()).isTrue();
    JsonNode header = setting("northbound.webhook.ops.headers[X-Gotify-Key]");
    assertThat(header.path("secret").asBoolean()).isTrue();
    assertThat(header.has("value")).isFalse();
  }

  private JsonNode setting(String name) {
    for (JsonNode one : operator.read("/api/settings").path("settings")) {
      if (one.path("name").asString().equals(name)) {
        return one;
      }
    }
    throw new AssertionError("no setting " + name);
  }
}
