package dev.vigil.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.cost.Configuration;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.signed.jose.CompactUpdate;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The cost model behind the API; one gateway for all cases. */
class SecurityCostApiTest {
  private static final String API = "/api/security-cost";

  @TempDir private static Path folder = Path.of("");
  private static InProcessGateway gateway;
  private static HttpTestClient http;

  @BeforeAll
  static void start() {
    gateway = new InProcessGateway(folder, "--vigil.anonymous-read=true");
    http = new HttpTestClient(gateway.address("http"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static JsonNode ask(String query) {
    HttpResponse<String> answer = http.get(API + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body());
  }

  @Test
  void theCheapestConfigurationMeetsTheNeeds() {
    JsonNode answer = ask("?need=authentic-to-anybody,confidential-end-to-end&hops=3");
    JsonNode cheapest = answer.get("cheapest");
    assertThat(cheapest.get("signed").asBoolean()).isTrue();
    assertThat(cheapest.get("meets").toString())
        .contains("authentic-to-anybody", "confidential-end-to-end");
    assertThat(answer.get("configurations").get(0)).isEqualTo(cheapest);
  }

  @Test
  void theChosenConfigurationCostsMoreThanNone() {
    JsonNode answer = ask("?payload=54&level=7&transport=ctr-xcbc&wake=3600&battery=1000");
    JsonNode chosen = answer.get("chosen");
    assertThat(chosen.get("level").asInt()).isEqualTo(7);
    assertThat(chosen.get("fragments").asInt()).isEqualTo(2);
    assertThat(chosen.get("batteryDays").asDouble())
        .isGreaterThan(chosen.get("alwaysOnDays").asDouble());
    for (JsonNode point : answer.get("byPayload")) {
      assertThat(point.get("chosenMicrojoules").asDouble())
          .isGreaterThan(point.get("plainMicrojoules").asDouble());
    }
    assertThat(answer.get("byWake")).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "payload=1001 | payload must be 0 to 1000",
        "hops=0 | hops must be 1 to 16",
        "wake=0 | wake must be 1 to 604800",
        "battery=NaN | battery must be 1 to 100000",
        "level=4 | level must be 0 to 3 or 5 to 7",
        "level=8 | level must be 0 to 3 or 5 to 7",
        "transport=rot13 | transport must be one of none, ah-xcbc",
        "peer=nobody | peer must be one of gateway, host",
        "need=speed | need must be one of confidential-on-air"
      })
  void wrongParametersAreRefusedByName(String query, String reason) {
    HttpResponse<String> answer = http.get(API + "?" + query);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
  }

  @Test
  void aCompactUpdateHasTheOverheadOfTheModel() {
    byte[] update = new byte[30 + Configuration.SIGNED_OVERHEAD];
    assertThat(CompactUpdate.parse(update).payload()).hasSize(30);
  }
}
