package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.coap.CoapTestClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The defaults of {@code run}: keys need approval, and reading needs credentials. */
class ClosedGatewayTest {
  private static final int JOSE = 65100;

  @TempDir Path folder = Path.of("");

  @Test
  void aNewDataFolderIsPrivateToItsOwner() throws IOException {
    Path made = folder.resolve("made");
    try (InProcessGateway gateway = new InProcessGateway(made)) {
      assertThat(gateway.address("http")).isNotEmpty();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
      try (Stream<Path> files = Files.list(made)) {
        assertThat(files)
            .extracting(file -> file.getFileName().toString())
            .contains("vigil.db", "vigil.lock", "operator.token", "identity.jwk");
      }
      try (Stream<Path> files = Files.list(made)) {
        assertThat(files.filter(Files::isRegularFile))
            .allSatisfy(
                file ->
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
      }
    }
  }

  @Test
  void anyoneMayRegisterAndAnonymousCallersMayNotRead() {
    try (InProcessGateway gateway = new InProcessGateway(folder);
        CoapTestClient coap = new CoapTestClient(gateway.address("coap"))) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      SleepyEndpoint sleeper = new SleepyEndpoint("closed");
      assertThat(
              coap.post("/ms?ep=closed", sleeper.registration(1, "</temp>;rt=\"t\""), JOSE).code())
          .isEqualTo("2.01");
      for (String path : new String[] {"/rd-lookup/ep", "/api/endpoints", "/api/events"}) {
        HttpResponse<String> response = http.get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).as(path).isPresent();
      }
      CoapTestClient.Answer refused = coap.get("/rd-lookup/ep");
      assertThat(refused.code()).isEqualTo("4.01");
      assertThat(refused.text()).contains("credentials");
      assertThat(http.get("/actuator/health").statusCode()).isEqualTo(200);
      assertThat(http.get("/v3/api-docs").statusCode()).isEqualTo(200);
    }
  }
}
