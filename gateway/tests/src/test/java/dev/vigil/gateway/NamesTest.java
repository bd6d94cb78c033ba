package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.coap.CoapTestClient;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.sqlite.rows.CheckedTables;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Names have one grammar and paths one form, for every way in. */
class NamesTest {
  private static final int JOSE = 65100;
  private static final int LINK_FORMAT = 40;
  private static final String LINKS = "</temp>;rt=\"t\"";
  private static final String[] OPEN = {"--vigil.trust=first-use", "--vigil.anonymous-read=true"};

  /**
   * A name from before the grammar: a leading space, a right-to-left override, an invisible space.
   */
  private static final String OLD = " old\u202e\u200b mote";

  @TempDir static Path folder = Path.of("");

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Test
  void misleadingNamesAreRefusedOnEveryWayIn() {
    try (InProcessGateway gateway =
            new InProcessGateway(
                folder.resolve("doors"),
                "--vigil.trust=first-use",
                "--vigil.domains.x.trust=listed");
        CoapTestClient coap = new CoapTestClient(gateway.address("coap"))) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      for (String name :
          new String[] {
            "a\u009bb",
            "a\u202eb",
            "a\u200bb",
            "a ",
            " a",
            "a  b",
            "e\u0301",
            "\ue000",
            ".trust",
            ".records/test"
          }) {
        String ep = "?ep=" + encoded(name);
        SleepyEndpoint sleeper = new SleepyEndpoint(name);
        refused("4.00", coap.post("/ms" + ep, sleeper.registration(1, LINKS), JOSE));
        refused("4.00", coap.post("/rd" + ep, LINKS, LINK_FORMAT));
        refused("4.00", coap.post("/rd?ep=fine&d=" + encoded(name), LINKS, LINK_FORMAT));
        refused(http.send("POST", "/ms" + ep, "application/jose", sleeper.registration(1, LINKS)));
        refused(http.send("POST", "/rd" + ep + "&base=coap://h", "application/link-format", LINKS));
        // A table has spaces around its cells.
        if (name.equals(name.strip())) {
          refusedImport(operator, sleeper, name);
        }
      }
      assertThat(operator.get("/api/endpoints").body()).doesNotContain("\"ep\"");
      assertThat(operator.get("/rd-lookup/ep").body()).isEmpty();
      // Valid names still work.
      assertThat(coap.post("/rd?ep=K%C3%BCche%201", LINKS, LINK_FORMAT).code()).isEqualTo("2.01");
    }
  }

  @Test
  void noRequestReachesOrListsTheGatewaysOwnRecords() {
    try (InProcessGateway gateway = new InProcessGateway(folder.resolve("records"), OPEN);
        CoapTestClient coap = new CoapTestClient(gateway.address("coap"))) {
      OperatorClient operator = new OperatorClient(gateway);
      RecordSet<Note> notes = gateway.bean(Records.class).of("note", Note.class);
      Outcome done =
          notes
              .put("n1", new Note("inside"), OptionalLong.of(0), new Audit("me", "wrote", ""))
              .join();
      assertThat(done).isInstanceOf(Outcome.Done.class);
      String id =
          gateway
              .bean(Store.class)
              .endpoint(new EndpointName(".records/note", ""))
              .orElseThrow()
              .id();
      for (String path : new String[] {"/ms/" + id, "/rd/" + id, "/ms/" + id + "/record/n1"}) {
        assertThat(coap.get(path).code()).as(path).isIn("4.04", "4.05");
        assertThat(operator.get(path).statusCode()).as(path).isIn(404, 405);
      }
      assertThat(operator.get("/api/endpoints/" + id).statusCode()).isEqualTo(404);
      for (String list :
          new String[] {
            "/rd-lookup/ep",
            "/rd-lookup/res",
            "/.well-known/core",
            "/api/endpoints",
            "/api/keys",
            "/rd-lookup/ep?ep=.records%2Fnote",
            "/api/endpoints?ep=.records%2Fnote"
          }) {
        assertThat(operator.get(list).body()).as(list).doesNotContain("records", "inside");
      }
      assertThat(operator.get("/api/audit?ep=.records%2Fnote").statusCode()).isEqualTo(400);
      JsonNode entry = operator.read("/api/audit").get("decisions").get(0);
      assertThat(entry.get("what").asString()).isEqualTo("wrote");
      assertThat(entry.get("kind").asString()).isEqualTo("note");
      assertThat(entry.get("record").asString()).isEqualTo("n1");
      assertThat(entry.get("after").get("text").asString()).isEqualTo("inside");
      assertThat(entry.has("before")).isFalse();
      assertThat(entry.has("endpoint")).isFalse();
    }
  }

  record Note(String text) {}

  private static void refusedImport(OperatorClient operator, SleepyEndpoint sleeper, String name) {
    HttpResponse<String> imported =
        operator.send(
            "POST",
            "/api/keys?d=x",
            "text/csv",
            "jkt,ep\n%s,\"%s\"\n".formatted(sleeper.jkt(), name));
    assertThat(imported.statusCode()).as(imported.body()).isEqualTo(400);
    assertThat(imported.body()).contains("nothing was imported").doesNotContain(name);
  }

  private static void refused(String code, CoapTestClient.Answer answer) {
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.text()).matches("(ep|d) (holds|has|is|begins)[ -~]+");
  }

  private static void refused(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).matches("\\{.*\"detail\":\"ep (holds|has|is|begins)[ -~]+");
  }

  @Test
  void aNameStoredBeforeStaysReadableAndCanBeForgotten() throws SQLException {
    Path data = folder.resolve("old");
    SleepyEndpoint young = new SleepyEndpoint("young");
    String entry;
    String plain;
    try (InProcessGateway gateway = new InProcessGateway(data, OPEN)) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      entry = http.register(young, 1, LINKS);
      put(http, entry + "/temp", young.update("temp", 2, 20));
      plain =
          http.send("POST", "/rd?ep=plain&base=coap://h", "application/link-format", LINKS)
              .headers()
              .firstValue("Location")
              .orElseThrow();
    }
    rename(data, "young", OLD);
    rename(data, "plain", OLD + " 2");
    SleepyEndpoint old = young.as(OLD);
    try (InProcessGateway gateway = new InProcessGateway(data, OPEN)) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      assertThat(http.get("/api/endpoints?ep=" + encoded(OLD)).body()).contains(young.jkt());
      assertThat(http.get("/rd-lookup/ep?ep=" + encoded(OLD + " 2")).body()).contains(plain);
      assertThat(http.get(entry + "/temp", "Accept", "text/plain").body()).isEqualTo("20");
      put(http, entry + "/temp", young.update("temp", 3, 21));
      assertThat(http.send("DELETE", plain, "text/plain", "").statusCode()).isEqualTo(204);
      assertThat(
              http.send("POST", "/ms", "application/jose", old.registration(4, LINKS)).statusCode())
          .isEqualTo(400);
      HttpResponse<String> withdrawn =
          http.send("POST", "/ms", "application/jose", old.withdrawal(4));
      assertThat(withdrawn.statusCode()).as(withdrawn.body()).isBetween(200, 204);
      assertThat(http.get(entry + "/temp").statusCode()).isEqualTo(404);
      assertThat(http.get("/rd-lookup/ep").body()).isEmpty();
    }
  }

  private static void rename(Path data, String from, String to) throws SQLException {
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + data + "/vigil.db");
        PreparedStatement update =
            database.prepareStatement("UPDATE endpoint SET ep = ? WHERE ep = ?")) {
      update.setString(1, to);
      update.setString(2, from);
      assertThat(update.executeUpdate()).isEqualTo(1);
      CheckedTables.renew(database);
    }
  }

  @Test
  void anotherSpellingOfThePathIsRefusedWhereItIsSigned() {
    try (InProcessGateway gateway = new InProcessGateway(folder.resolve("paths"), OPEN)) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      SleepyEndpoint sleeper = new SleepyEndpoint("mote");
      String entry = http.register(sleeper, 1, LINKS);
      for (String res : new String[] {"%74emp", "tem%70", "%74%65%6d%70"}) {
        HttpResponse<String> refused =
            http.send("PUT", entry + "/" + res, "application/jose", sleeper.update(res, 2, 20));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
            .contains("\"detail\":\"res is not in canonical form; it should be temp\"");
      }
      put(http, entry + "/%74emp", sleeper.update("temp", 2, 20));
    }
  }

  private static void put(HttpTestClient http, String path, String jws) {
    HttpResponse<String> response = http.send("PUT", path, "application/jose", jws);
    assertThat(response.statusCode()).as(response.body()).isIn(201, 204);
  }
}
