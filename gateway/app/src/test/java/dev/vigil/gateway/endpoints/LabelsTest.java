package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Names and locations that operators give endpoints. */
class LabelsTest {
  private static final String LINKS = "</temp>;rt=\"t\"";
  private static final String JSON = "application/json";

  @TempDir Path folder = Path.of("");

  private static void requireManyAtOnce(OperatorClient operator, String id) {
    String path = "/api/endpoints/labels";
    String items =
        """
        {"labels": [{"id": "%s", "name": "Boiler"}, {"id": "no-such"}, {"name": "x"},
                    {"id": "%s", "location": "a\\u202eb"}]}\
        """
            .formatted(id, id);
    HttpResponse<String> answer = operator.send("POST", path, JSON, items);
    assertThat(answer.body())
        .contains("\"status\":204", "\"status\":404", "id is missing", "/problems/not-found")
        .contains("location: holds a character that is not shown");
    assertThat(operator.get("/api/endpoints/" + id + "/label").body()).contains("Boiler");
    operator.send("POST", path, JSON, "{\"labels\": [{\"id\": \"%s\"}]}".formatted(id));
    assertThat(operator.get("/api/endpoints/" + id + "/label").statusCode()).isEqualTo(404);
    assertThat(operator.send("POST", path, JSON, "{}").statusCode()).isEqualTo(400);
  }

  @Test
  void aLabelIsShownSearchedChangedAndForgottenWithItsEndpoint() throws Exception {
    try (InProcessGateway gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true")) {
      HttpTestClient anybody = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      SleepyEndpoint oven = new SleepyEndpoint("mote-1");
      String id = anybody.register(oven, 1, LINKS).substring("/ms/".length());
      anybody.register(new SleepyEndpoint("mote-2"), 1, LINKS);
      String path = "/api/endpoints/" + id + "/label";
      String body = "{\"name\":\"Kiln\",\"location\":\"Hall 3\"}";

      assertThat(operator.get(path).statusCode()).isEqualTo(404);
      assertThat(anybody.send("PUT", path, JSON, body).statusCode()).isEqualTo(401);
      HttpResponse<String> made = operator.send("PUT", path, JSON, body);
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
      String tag = made.headers().firstValue("ETag").orElseThrow();

      JsonNode shown = operator.read("/api/endpoints/" + id).get("label");
      assertThat(shown.get("name").asString()).isEqualTo("Kiln");
      assertThat(shown.get("location").asString()).isEqualTo("Hall 3");
      for (String text : new String[] {"kiln", "HALL", "mote-1"}) {
        JsonNode found = operator.read("/api/endpoints?text=" + text).get("endpoints");
        assertThat(found.size()).as(text).isEqualTo(1);
        assertThat(found.get(0).get("id").asString()).as(text).isEqualTo(id);
      }
      assertThat(operator.read("/api/endpoints?text=elsewhere").get("endpoints").size()).isZero();

      operator.send("PUT", path, JSON, "{\"name\":\"Oven\"}");
      HttpResponse<String> late =
          anybody.send(
              anybody
                  .to(path)
                  .header("Authorization", "Bearer " + operator.token())
                  .header("Content-Type", JSON)
                  .header("If-Match", tag)
                  .PUT(HttpRequest.BodyPublishers.ofString(body)));
      assertThat(late.statusCode()).isEqualTo(412);
      for (String wrong :
          new String[] {
            "{}", "{\"name\":\"a\\u202eb\"}", "{\"name\":\"" + "x".repeat(101) + "\"}", "{\"x\":1}"
          }) {
        assertThat(operator.send("PUT", path, JSON, wrong).statusCode()).as(wrong).isEqualTo(400);
      }
      assertThat(operator.get(path).body()).contains("Oven").doesNotContain("Hall");
      assertThat(operator.get("/api/audit").body()).contains("labelled mote-1", "Hall 3");

      assertThat(operator.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
      assertThat(operator.get(path).statusCode()).isEqualTo(404);
      requireManyAtOnce(operator, id);
      operator.send("PUT", path, JSON, body);

      CompletableFuture<Boolean> gone = new CompletableFuture<>();
      try (Store.Subscription following =
          gateway
              .bean(Records.class)
              .of("endpoint-label", EndpointLabel.class, EndpointLabel.MAX)
              .onChange(change -> noteRemoval(change, gone))) {
        assertThat(following).isNotNull();
        HttpResponse<String> withdrawn =
            anybody.send("POST", "/ms", "application/jose", oven.withdrawal(2));
        assertThat(withdrawn.statusCode()).as(withdrawn.body()).isBetween(200, 204);
        assertThat(gone.get(20, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  /** A plain registration gets an id that becomes an alias once its key is proven. */
  @Test
  void anAliasOfTheEndpointShowsAndRemovesItsLabel() throws Exception {
    try (InProcessGateway gateway = new InProcessGateway(folder, "--vigil.trust=first-use")) {
      HttpTestClient anybody = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      SleepyEndpoint mote = new SleepyEndpoint("mote-1");
      byte[] plain =
          new CborWriter()
              .array(4)
              .integer(40)
              .octets(LINKS.getBytes(StandardCharsets.UTF_8))
              .integer(65101)
              .octets(mote.jwk().getBytes(StandardCharsets.UTF_8))
              .toOctets();
      HttpResponse<String> registered =
          anybody.send(
              anybody
                  .to("/ms?ep=mote-1")
                  .header("Content-Type", "application/multipart-core")
                  .POST(HttpRequest.BodyPublishers.ofByteArray(plain)));
      assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
      String entry = registered.headers().firstValue("Location").orElseThrow();
      HttpResponse<String> proven =
          anybody.send("PUT", entry + "/temp", "application/jose", mote.update("temp", 1, 21.5));
      assertThat(proven.statusCode()).as(proven.body()).isEqualTo(201);
      String path = "/api/endpoints/" + entry.substring("/ms/".length()) + "/label";

      assertThat(operator.send("PUT", path, JSON, "{\"name\":\"Kiln\"}").statusCode())
          .isEqualTo(200);
      assertThat(operator.get(path).body()).contains("Kiln");
      assertThat(operator.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
      assertThat(operator.get(path).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aLabelThatIsWrittenAfterItsEndpointWasForgottenIsRemoved() throws Exception {
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      RecordSet<EndpointLabel> labels =
          gateway
              .bean(Records.class)
              .of(EndpointLabel.KIND, EndpointLabel.class, EndpointLabel.MAX);
      CompletableFuture<Boolean> gone = new CompletableFuture<>();
      try (Store.Subscription following = labels.onChange(change -> noteRemoval(change, gone))) {
        assertThat(following).isNotNull();
        EndpointLabel late = new EndpointLabel("", "mote-1", "Kiln", null);
        labels.put("forgotten", late, OptionalLong.empty(), Audit.UNRECORDED);
        assertThat(gone.get(20, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(labels.get("forgotten")).isEmpty();
    }
  }

  private static void noteRemoval(
      RecordChange<EndpointLabel> change, CompletableFuture<Boolean> gone) {
    if (change.after() == null) {
      gone.complete(true);
    }
  }
}
