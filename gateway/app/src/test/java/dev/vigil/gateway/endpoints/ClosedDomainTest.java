package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A domain that administrators have closed, as strangers see it. */
@Timeout(120)
class ClosedDomainTest {
  private static final String JSON = "application/json";
  private static final String JOSE = "application/jose";
  private static final String LINKS = "</temp>;rt=\"t\"";
  private static final String CLOSED =
      "{\"trust\":\"first-use\",\"policy\":{\"read\":[\"identified\"]}}";

  @TempDir Path folder = Path.of("");

  @Test
  void anOpenEventStreamDeliversNothingMoreAndIdsAreNotDisclosed() throws Exception {
    try (InProcessGateway gateway =
        new InProcessGateway(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.trust=first-use",
            "--vigil.domains.plant.trust=first-use")) {
      HttpTestClient stranger = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      SleepyEndpoint mote = new SleepyEndpoint("plant-1");
      String entry =
          stranger
              .send("POST", "/ms", JOSE, mote.registration(1, LINKS, "plant"))
              .headers()
              .firstValue("Location")
              .orElseThrow();
      try (EventReader stream = new EventReader(stranger)) {
        stranger.send("PUT", entry + "/temp", JOSE, mote.update("temp", 2, 20));
        stream.next("endpoint", one -> one.toString().contains("plant-1"));

        assertThat(operator.send("PUT", "/api/domains/plant", JSON, CLOSED).statusCode())
            .isEqualTo(200);
        stranger.send("PUT", entry + "/temp", JOSE, mote.update("temp", 3, 21));
        stranger.register(new SleepyEndpoint("public-1"), 1, LINKS);

        // Events come in the order of the feed: the closed domain's would be first.
        assertThat(stream.next("endpoint", one -> true).toString()).contains("public-1");
      }

      String id = entry.substring("/ms/".length());
      for (String path :
          List.of("", "/export", "/export/temp", "/resources", "/label", "/tags", "/successor")) {
        HttpResponse<String> known = stranger.get("/api/endpoints/" + id + path);
        HttpResponse<String> unknown = stranger.get("/api/endpoints/none" + path);
        assertThat(known.statusCode()).as(path).isEqualTo(401);
        assertThat(unknown.statusCode()).as(path).isEqualTo(401);
        assertThat(unknown.body())
            .as(path)
            .isEqualTo(known.body().replace("endpoints/" + id, "endpoints/none"));
      }
      assertThat(operator.get("/api/endpoints/none/export").statusCode()).isEqualTo(404);
    }
  }
}
