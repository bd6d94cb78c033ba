package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.coap.Coap;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The defaults of {@code run}: approval, and reading only for those who say who they are. */
class ClosedGatewayTest {
  private static final int JOSE = 65100;

  @TempDir Path folder = Path.of("");

  @Test
  void theDataFolderThatItMakesIsItsOwnersAlone() throws IOException {
    Path made = folder.resolve("made");
    try (InProcess gateway = new InProcess(made)) {
      assertThat(gateway.address("http")).isNotEmpty();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void sleepersMayRegisterAndNobodyElseMayRead() {
    try (InProcess gateway = new InProcess(folder);
        Coap coap = new Coap(gateway.address("coap"))) {
      Web web = new Web(gateway.address("http"));
      Sleeper sleeper = new Sleeper("closed");
      assertThat(
              coap.post("/ms?ep=closed", sleeper.registration(1, "</temp>;rt=\"t\""), JOSE).code())
          .isEqualTo("2.01");
      for (String path : new String[] {"/rd-lookup/ep", "/api/endpoints", "/api/events"}) {
        HttpResponse<String> answer = web.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).as(path).isPresent();
      }
      Coap.Answer refused = coap.get("/rd-lookup/ep");
      assertThat(refused.code()).isEqualTo("4.01");
      assertThat(refused.text()).contains("credentials");
      assertThat(web.get("/actuator/health").statusCode()).isEqualTo(200);
      assertThat(web.get("/v3/api-docs").statusCode()).isEqualTo(200);
    }
  }
}
