package dev.vigil.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kinds of problems with which the API answers wrong requests. */
class ProblemTypesTest {
  private static final String READINGS = "/api/network/stored-readings";

  @TempDir Path folder = Path.of("");

  @Test
  void eachWrongRequestHasTheKindOfItsFault() {
    try (InProcessGateway gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true")) {
      String mote =
          new HttpTestClient(gateway.address("http"))
              .register(new SleepyEndpoint("mote-1"), 1, "</temp>;rt=t")
              .substring("/ms/".length());
      String temp = "/api/endpoints/" + mote + "/resources/temp";
      String label = "/api/endpoints/" + mote + "/label";
      String[][] cases = {
        {"POST", READINGS + "?mote=x", "", "400 invalid-parameter"},
        {"POST", READINGS + "?mote=fd00::2&from=then", "", "400 invalid-parameter"},
        {
          "POST",
          READINGS + "?mote=fd00::2&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
          "",
          "400 invalid-parameter"
        },
        {"POST", READINGS + "?mote=fd00::2&after=-1", "", "400 invalid-cursor"},
        {"POST", READINGS + "?mote=fd00::2", "", "404 no-radio"},
        {"POST", READINGS + "/rekey?mote=fd00::2", "", "404 no-radio"},
        {"POST", "/api/network/neighbours/x/forgive", "", "404 no-radio"},
        {"GET", temp + "/history?from=then", "", "400 invalid-parameter"},
        {"GET", temp + "/history?bucket=x", "", "400 invalid-parameter"},
        {"GET", temp + "/history?order=newest&bucket=1h", "", "400 invalid-parameter"},
        {"GET", temp + "/history?after=-1", "", "400 invalid-parameter"},
        {"GET", "/api/endpoints?after=!", "", "400 invalid-cursor"},
        {"GET", "/api/keys?after=!", "", "400 invalid-cursor"},
        {"GET", "/api/registrations?after=!", "", "400 invalid-cursor"},
        {"GET", "/api/audit?before=-1", "", "400 invalid-cursor"},
        {"GET", "/api/security-cost?level=4", "", "400 invalid-parameter"},
        {"GET", "/api/security-cost?transport=x", "", "400 invalid-parameter"},
        {"GET", "/api/security-cost?hops=99", "", "400 invalid-parameter"},
        {"PUT", label, "{}", "400 invalid-body"},
        {"PUT", label, "{\"name\":\"" + "x".repeat(101) + "\"}", "400 invalid-body"},
        {"GET", label, "", "404 not-found"},
        {"GET", "/api/domains/nowhere", "", "404 not-found"},
        {"GET", "/rd-lookup/res?=x", "", "400 invalid-parameter"},
      };
      OperatorClient operator = new OperatorClient(gateway);
      for (String[] wrong : cases) {
        String type = wrong[2].isEmpty() ? "" : "application/json";
        HttpResponse<String> refused = operator.send(wrong[0], wrong[1], type, wrong[2]);
        assertThat(refused.statusCode() + " " + refused.body())
            .as(wrong[0] + " " + wrong[1])
            .startsWith(wrong[3].substring(0, 3))
            .contains("\"type\":\"/problems/" + wrong[3].substring(4) + "\"");
      }
    }
  }
}
