package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The units that a gateway shows. */
@Timeout(120)
class DisplayUnitsTest {
  private static final String PATH = "/api/display-units";
  private static final String JSON = "application/json";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @TempDir Path folder = Path.of("");

  private static String chosen(OperatorClient operator) {
    return operator.read(PATH).get("chosen").toString();
  }

  @Test
  void anAdministratorChoosesTheUnitsThatTheGatewayShows() {
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      OperatorClient operator = new OperatorClient(gateway);
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      JsonNode units = operator.read(PATH);
      assertThat(units.get("chosen").toString()).isEqualTo("[]");
      assertThat(units.get("quantities").get(0).get("units").get(2).toString())
          .isEqualTo(
              "{\"unit\":\"degF\",\"symbol\":\"°F\",\"numerator\":9,\"denominator\":5,\"offset\":32}");

      HttpResponse<String> made =
          operator.send("PUT", PATH, JSON, "{\"chosen\":[\"degF\",\"kWh\"]}");
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
      String tag = made.headers().firstValue("ETag").orElseThrow();
      assertThat(operator.get("/api/audit").body()).contains("chose units: degF, kWh");
      for (String wrong : List.of("[\"furlong\"]", "[\"degF\",\"K\"]", "null", "[7]")) {
        assertThat(operator.send("PUT", PATH, JSON, "{\"chosen\":" + wrong + "}").statusCode())
            .as(wrong)
            .isEqualTo(400);
      }
      HttpRequest.Builder request =
          http.to(PATH)
              .header("Authorization", "Bearer " + operator.token())
              .header("Content-Type", JSON)
              .header("If-Match", "\"1\"")
              .PUT(HttpRequest.BodyPublishers.ofString("{\"chosen\":[]}"));
      assertThat(http.send(request).statusCode()).as("not " + tag).isEqualTo(412);
      String body = "{\"name\":\"some\",\"roles\":[\"operator\"]}";
      String token =
          MAPPER
              .readTree(operator.send("POST", "/api/tokens", JSON, body).body())
              .get("token")
              .asString();
      HttpRequest.Builder other =
          http.to(PATH)
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", JSON)
              .PUT(HttpRequest.BodyPublishers.ofString("{\"chosen\":[]}"));
      assertThat(http.send(other).statusCode()).as("an operator").isEqualTo(403);
      assertThat(operator.get("/api/export?units=degF").statusCode()).isEqualTo(400);
      assertThat(operator.get("/api/export?resolution=day&units=furlong").statusCode())
          .isEqualTo(400);
    }
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      assertThat(chosen(new OperatorClient(gateway))).isEqualTo("[\"degF\",\"kWh\"]");
    }
  }
}
