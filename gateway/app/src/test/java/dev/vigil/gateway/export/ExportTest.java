package dev.vigil.gateway.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of an archive, as operators and other callers get them. */
class ExportTest {
  @TempDir Path folder;

  @Test
  void valuesOfARevokedKeyAreExportedOnlyToOperators() {
    try (InProcessGateway gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true")) {
      HttpTestClient anyone = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      SleepyEndpoint sleeper = new SleepyEndpoint("archived");
      String entry = anyone.register(sleeper, 1, "</temp>");
      anyone.send("PUT", entry + "/temp", "application/jose", sleeper.update("temp", 2, 20));
      String export = "/api/endpoints/" + entry.substring("/ms/".length()) + "/export";
      assertThat(anyone.get(export).body()).contains("\"seq\":2").doesNotContain("revoked");

      operator.post("/api/keys/" + sleeper.jkt() + "/revoke");

      assertThat(anyone.get(export).statusCode()).isEqualTo(403);
      assertThat(anyone.get(export + "/temp").statusCode()).isEqualTo(403);
      assertThat(operator.get(export).body()).contains("\"seq\":2").contains("revoked");
    }
  }
}
