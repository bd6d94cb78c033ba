package dev.vigil.gateway.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

  @Test
  void manyEndpointsAreExportedOverASpan() {
    try (InProcessGateway gateway =
        new InProcessGateway(
            folder,
            "--vigil.trust=first-use",
            "--vigil.anonymous-read=true",
            "--vigil.default-domain.history=3",
            "--vigil.domains.plant.read=identified")) {
      HttpTestClient anyone = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      long start = 1_763_640_000;
      SleepyEndpoint east = new SleepyEndpoint("east");
      for (SleepyEndpoint sleeper : List.of(east, new SleepyEndpoint("west"))) {
        String entry = anyone.register(sleeper, 1, "</temp>");
        for (int i = 0; i < 5; i++) {
          String update = sleeper.measured("temp", 2 + i, i, start + 3600L * i);
          anyone.send("PUT", entry + "/temp", "application/jose", update);
        }
      }
      String span = "from=" + (start + 3600) + "&to=" + (start + 4 * 3600);
      String signed = anyone.get("/api/export?" + span).body();
      assertThat(signed.lines()).as("three are kept").hasSize(4);
      assertThat(signed).contains("\"ep\":\"east\"", "\"ep\":\"west\"", "\"jws\"");

      String hours = "/api/export?resolution=hour&format=csv&" + span;
      String table =
          await()
              .atMost(1, TimeUnit.MINUTES)
              .until(() -> anyone.get(hours).body(), body -> body.lines().count() == 7);
      assertThat(table.lines().toList())
          .startsWith("ep,d,res,name,unit,resolution,start,count,recovered,mean,min,max,last")
          .contains("east,,temp,east/temp,Cel,hour,2025-11-20T13:00:00Z,1,0,1,1,1,1")
          .contains("west,,temp,west/temp,Cel,hour,2025-11-20T15:00:00Z,1,0,3,3,3,3");
      assertThat(anyone.get(hours + "&units=degF,kWh").body().lines())
          .contains("east,,temp,east/temp,degF,hour,2025-11-20T13:00:00Z,1,0,33.8,33.8,33.8,33.8");
      // The last value is after the span of the hours.
      String days = "/api/export?resolution=day&ep=west";
      assertThat(
              await()
                  .atMost(1, TimeUnit.MINUTES)
                  .until(() -> anyone.get(days).body(), body -> body.contains("\"count\":5")))
          .isEqualTo(
              "{\"ep\":\"west\",\"d\":\"\",\"res\":\"temp\",\"name\":\"west/temp\","
                  + "\"unit\":\"Cel\",\"resolution\":\"day\",\"start\":\"2025-11-20T00:00:00Z\","
                  + "\"count\":5,\"recovered\":0,\"mean\":2,\"min\":0,\"max\":4,\"last\":4}\n");

      String id =
          operator.read("/api/endpoints?ep=east").get("endpoints").get(0).get("id").asString();
      String tags = "/api/endpoints/" + id + "/tags";
      assertThat(
              operator
                  .send("PUT", tags, "application/json", "{\"tags\":[\"hall 3\"]}")
                  .statusCode())
          .isEqualTo(200);
      assertThat(anyone.get("/api/export?tag=hall%203&" + span).body())
          .contains("\"ep\":\"east\"")
          .doesNotContain("west");
      assertThat(anyone.get("/api/export?tag=hall&" + span).body()).isEmpty();

      assertThat(anyone.get("/api/export?d=plant").statusCode()).isEqualTo(401);
      for (String wrong :
          new String[] {
            "tag=", "format=parquet", "resolution=week", "from=noon", "to=later", "x=1"
          }) {
        assertThat(anyone.get("/api/export?" + wrong).statusCode()).as(wrong).isEqualTo(400);
      }
      operator.post("/api/keys/" + east.jkt() + "/revoke");
      assertThat(anyone.get("/api/export?" + span).body()).doesNotContain("east").contains("west");
      assertThat(anyone.get(hours).body()).doesNotContain("east").contains("west");
      assertThat(operator.get("/api/export?" + span).body()).contains("revoked");
    }
  }
}
