package dev.vigil.gateway.associations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.network.NetworkApiTest;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The operator's view of the associations and of their file; one gateway for all cases. */
class AssociationsApiTest {
  private static final String API = "/api/security-associations";
  private static final String SELF = "fd00::56:4947:494c:1";
  private static final String IN =
      "in esp ctr-xcbc 0x11000001 fd00::1001 %s %s %s\n"
          .formatted(SELF, "a1".repeat(20), "b2".repeat(16));
  private static final String OUT =
      "out esp ctr-xcbc 0x11000002 %s fd00::1001 %s %s\n"
          .formatted(SELF, "c3".repeat(20), "d4".repeat(16));
  private static final String ANOTHER =
      "in ah ah-sha1 0x11000003 fd00::1002 %s %s\n".formatted(SELF, "e5".repeat(20));

  @TempDir private static Path folder = Path.of("");
  private static Path file = Path.of("");
  private static InProcessGateway gateway;
  private static HttpTestClient http;
  private static OperatorClient operator;

  @BeforeAll
  static void start() throws IOException {
    file = folder.resolve("gateway.sa");
    Files.writeString(file, IN + OUT);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    gateway =
        new InProcessGateway(
            folder.resolve("data"),
            "--vigil.anonymous-read=true",
            "--vigil.border.radios[0].kind=virtual",
            "--vigil.border.radios[0].port=0",
            "--vigil.border.ipsec=" + file,
            "--vigil.border.ipsec-new=true");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
    // It would load a file before the request of a slow test does.
    gateway.bean(AssociationWatch.class).stop();
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(file, IN + OUT);
    assertThat(operator.post(API + "/reload").statusCode()).isEqualTo(200);
  }

  @Test
  void onlyOperatorsSeeThemAndNobodySeesKeys() {
    assertThat(http.get(API).statusCode()).isEqualTo(401);
    assertThat(http.send("POST", API + "/reload", "application/json", "").statusCode())
        .isEqualTo(401);
    String body = operator.get(API).body();
    assertThat(body)
        .contains("0x11000001", "fd00::1001", "ctr-xcbc")
        .doesNotContain("a1a1", "b2b2");
  }

  @Test
  void theListIsReadPageByPage() {
    JsonNode first = operator.read(API + "?limit=1");
    assertThat(first.get("associations")).hasSize(1);
    assertThat(first.get("associations").get(0).get("state").asString()).isEqualTo("ready");
    JsonNode second = operator.read(API + "?limit=1&after=" + first.get("next").asString());
    assertThat(second.get("associations").get(0).get("direction").asString()).isEqualTo("out");
    assertThat(second.has("next")).isFalse();
    assertThat(operator.get(API + "?after=nonsense").statusCode()).isEqualTo(400);
  }

  @Test
  void aReloadIsAuditedAndKeepsUnchangedAssociations() throws IOException {
    Files.writeString(file, ANOTHER + IN);
    HttpResponse<String> reloaded = operator.post(API + "/reload");
    assertThat(reloaded.body()).contains("\"added\":1", "\"kept\":1", "\"removed\":1");
    assertThat(operator.read(API).get("associations").get(0).get("warnings").toString())
        .contains("SHA-1", "nothing protects the sending direction");
    JsonNode decision = operator.read("/api/audit?limit=1").get("decisions").get(0);
    assertThat(decision.get("what").asString()).startsWith("associations loaded on request: 2");
    assertThat(decision.get("by").asString()).isEqualTo("account:operator");
  }

  @Test
  void theEventStreamReportsAReloadToOperators() throws Exception {
    try (EventReader events =
        new EventReader(http, "Authorization", "Bearer " + operator.token())) {
      assertThat(events.next("association").get("spi").asString()).startsWith("0x1100000");
      Files.writeString(file, OUT + IN + "\nnonsense");
      assertThat(operator.post(API + "/reload").statusCode()).isEqualTo(409);
      String problem =
          events.next("associations", changed -> changed.has("problem")).get("problem").asString();
      assertThat(problem).contains("line 4");
    }
  }

  @Test
  void aFileWithErrorsChangesNothing() throws IOException {
    Files.writeString(file, IN + "\nout esp ctr 0x1 a b c");
    HttpResponse<String> refused = operator.post(API + "/reload");
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).contains(file + ": line 3: no ICV protects these packets");
    JsonNode now = operator.read(API);
    assertThat(now.get("associations")).hasSize(2);
    assertThat(now.get("problem").asString()).contains("line 3");
  }

  @Test
  void aChangedFileIsLoadedByItself() throws IOException {
    Files.writeString(file, IN);
    AssociationWatch watch = gateway.bean(AssociationWatch.class);
    watch.start();
    try {
      NetworkApiTest.await(
          () ->
              operator
                  .read("/api/audit?limit=1")
                  .toString()
                  .contains("associations loaded from their file: 1"));
    } finally {
      watch.stop();
    }
    assertThat(operator.read("/api/audit?limit=1").toString()).contains("\"gateway\"");
    assertThat(operator.read(API).get("associations")).hasSize(1);
  }

  @Test
  void aFileThatARequestLoadedIsNotLoadedAgain() throws IOException {
    Files.writeString(file, OUT);
    assertThat(operator.post(API + "/reload").statusCode()).isEqualTo(200);
    String before = operator.read("/api/audit?limit=1").toString();
    AssociationWatch watch = gateway.bean(AssociationWatch.class);
    watch.look(file);
    watch.look(file);
    assertThat(operator.read("/api/audit?limit=1").toString()).isEqualTo(before);
  }

  @Test
  void eachAssociationHasItsSeries() {
    String metrics = http.get("/actuator/prometheus").body();
    assertThat(metrics)
        .contains("vigil_ipsec_associations{state=\"ready\"} 2.0")
        .contains(
            "vigil_ipsec_packets_total{direction=\"in\",peer=\"fd00::1001\",protocol=\"esp\"} 0.0")
        .contains("reason=\"replay\"");
  }
}
