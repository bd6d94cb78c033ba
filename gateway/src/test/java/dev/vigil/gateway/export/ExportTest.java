package dev.vigil.gateway.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcess;
import dev.vigil.gateway.Operator;
import dev.vigil.gateway.Sleeper;
import dev.vigil.gateway.Web;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is given which rows of an archive. */
class ExportTest {
  @TempDir Path folder;

  @Test
  void whatARevokedKeySignedIsInAnOperatorsArchiveAlone() {
    try (InProcess gateway =
        new InProcess(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true")) {
      Web anyone = new Web(gateway.address("http"));
      Operator operator = new Operator(gateway);
      Sleeper sleeper = new Sleeper("archived");
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
