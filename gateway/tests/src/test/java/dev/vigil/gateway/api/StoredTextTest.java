package dev.vigil.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Texts and queries that no client should send. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class StoredTextTest {
  private static final String JSON = "application/json";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private OperatorClient operator;

  @BeforeAll
  void start() {
    gateway = new InProcessGateway(folder);
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  @Test
  void textsThatUtf8CannotExpressAreRefusedEverywhere() {
    List<String> paths =
        List.of(
            "/api/alarm-rules/q",
            "/api/domains/plant",
            "/api/network/settings",
            "/api/endpoints/1/label",
            "/api/endpoints/1/tags");
    for (String path : paths) {
      for (String text : List.of("\\ud800", "a\\udc00b", "\\u0000", "\\u001b[2J")) {
        var answer = operator.send("PUT", path, JSON, "{\"name\":\"" + text + "\"}");
        assertThat(answer.statusCode()).as(path + text).isIn(400, 404);
      }
    }
    assertThat(
            operator
                .send(
                    "PUT",
                    "/api/alarm-rules/q",
                    JSON,
                    "{\"kind\":\"missing\",\"name\":\"\\ud800\"}")
                .body())
        .contains(TextGrammar.FAULT);
    assertThat(operator.get("/api/audit").statusCode()).isEqualTo(200);
  }

  @Test
  void malformedQueriesAreRefusedWithoutAStackTrace(CapturedOutput output) {
    HttpTestClient stranger = new HttpTestClient(gateway.address("http"));
    for (String path :
        List.of("/actuator/health", "/api/endpoints", "/api/alarms", "/ms", "/rd-lookup/ep", "/")) {
      for (String query : List.of("x=%FF", "%ED%A0%80=1", "limit=%C0%AF")) {
        assertThat(stranger.get(path + "?" + query).statusCode()).as(path).isEqualTo(400);
      }
    }
    assertThat(output.getAll()).doesNotContain("\tat ").doesNotContain("Exception");
  }
}
