package dev.vigil.gateway.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The keys over REST: lists, decisions of operators, imports, the audit trail. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeysTest {
  private static final String LINKS = "</temp>;rt=\"temperature\"";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(folder, "--vigil.trust=approve", "--vigil.domains.plant.trust=listed");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private int put(String path, String jws) {
    return http.send("PUT", path, "application/jose", jws).statusCode();
  }

  private JsonNode key(SleepyEndpoint sleeper) {
    return operator.read("/api/keys/" + sleeper.jkt()).get("keys").get(0);
  }

  @Test
  void decisionsAboutAPendingKeyAreAuditedWithTheOperator() {
    SleepyEndpoint sleeper = new SleepyEndpoint("approved");
    String entry = http.register(sleeper, 1, LINKS);
    assertThat(put(entry + "/temp", sleeper.update("temp", 2, 20))).isEqualTo(403);
    assertThat(operator.read("/api/keys?state=pending").get("keys"))
        .anyMatch(key -> key.get("thumbprint").asString().equals(sleeper.jkt()));
    String path = "/api/keys/" + sleeper.jkt();
    assertThat(http.send("POST", path + "/approve", "text/plain", "").statusCode()).isEqualTo(401);

    assertThat(operator.post(path + "/approve").statusCode()).isEqualTo(200);
    assertThat(key(sleeper).get("state").asString()).isEqualTo("trusted");
    assertThat(key(sleeper).get("jwk").get("kty").asString()).isEqualTo("EC");
    assertThat(put(entry + "/temp", sleeper.update("temp", 2, 20))).isEqualTo(201);
    assertThat(operator.get(entry + "/temp").statusCode()).isEqualTo(200);
    assertThat(operator.post(path + "/approve").statusCode()).as("once more").isEqualTo(200);

    assertThat(operator.post(path + "/revoke").statusCode()).isEqualTo(204);
    assertThat(key(sleeper).get("state").asString()).isEqualTo("revoked");
    assertThat(operator.get(entry + "/temp").statusCode()).isEqualTo(403);
    assertThat(put(entry + "/temp", sleeper.update("temp", 3, 20))).isEqualTo(403);
    JsonNode trail = operator.read("/api/audit?ep=approved&after=0").get("decisions");
    assertThat(trail.findValuesAsString("what"))
        .containsExactly("held: waits for approval", "approved", "revoked");
    assertThat(trail.findValuesAsString("by"))
        .containsExactly("mirror", "account:operator", "account:operator");
    assertThat(trail.findValuesAsString("key")).containsOnly(sleeper.jkt());
  }

  @Test
  void theAuditTrailIsReadBackwardsInPagesAndFollowedForwards() {
    for (int i = 0; i < 5; i++) {
      http.register(new SleepyEndpoint("trail-" + i), 1, LINKS);
    }
    List<String> seen = new ArrayList<>();
    List<Long> positions = new ArrayList<>();
    String before = "";
    do {
      JsonNode page = operator.read("/api/audit?limit=2" + before);
      seen.addAll(page.get("decisions").findValuesAsString("ep"));
      page.get("decisions").forEach(one -> positions.add(one.get("position").asLong()));
      before = page.has("next") ? "&before=" + page.get("next").asString() : "";
    } while (!before.isEmpty());
    assertThat(seen).startsWith("trail-4", "trail-3", "trail-2", "trail-1", "trail-0");
    assertThat(positions).isSortedAccordingTo(Comparator.reverseOrder()).doesNotHaveDuplicates();

    JsonNode later = operator.read("/api/audit?after=" + positions.get(2));
    assertThat(later.get("decisions").findValuesAsString("ep"))
        .containsExactly("trail-3", "trail-4");
    assertThat(operator.read("/api/audit?after=" + later.get("next")).get("decisions")).isEmpty();
    for (String wrong : new String[] {"before=-1", "after=-1", "before=x", "before=9&after=1"}) {
      assertThat(operator.get("/api/audit?" + wrong).statusCode()).as(wrong).isEqualTo(400);
    }
  }

  @Test
  void refusingAHeldKeyKeepsThePresentOne() {
    SleepyEndpoint owner = new SleepyEndpoint("contested");
    SleepyEndpoint other = new SleepyEndpoint("contested");
    http.register(owner, 1, LINKS);
    operator.post("/api/keys/" + owner.jkt() + "/approve");
    assertThat(
            http.send("POST", "/ms?ep=contested", "application/jose", other.registration(9, LINKS))
                .statusCode())
        .isEqualTo(403);
    assertThat(key(other).get("state").asString()).isEqualTo("held");
    assertThat(key(other).get("note").asString()).isNotEmpty();
    assertThat(operator.post("/api/keys/" + other.jkt() + "/refuse").statusCode()).isEqualTo(204);
    assertThat(operator.get("/api/keys/" + other.jkt()).statusCode()).isEqualTo(404);
    assertThat(key(owner).get("state").asString()).isEqualTo("trusted");
  }

  @Test
  void anImportIsAllOrNothing() {
    SleepyEndpoint first = new SleepyEndpoint("listed-1");
    SleepyEndpoint second = new SleepyEndpoint("listed-2");
    String set = "{\"keys\":[" + first.jwk() + "," + second.jwk() + "]}";
    HttpResponse<String> into = send("/api/keys?d=plant", "application/jwk-set+json", set);
    assertThat(into.statusCode()).isEqualTo(201);
    assertThat(JSON.readTree(into.body()).get("listed").asInt()).isEqualTo(2);
    assertThat(operator.read("/api/keys?d=plant&state=listed").get("keys")).hasSize(2);

    SleepyEndpoint third = new SleepyEndpoint("listed-3");
    JsonNode jwk = JSON.readTree(third.jwk());
    String table =
        "ep;x;y\n\nlisted-3;%s;%s\n".formatted(jwk.get("x").asString(), jwk.get("y").asString());
    assertThat(send("/api/keys?d=plant", "text/csv", table + "listed-4;abc;def\n"))
        .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(400))
        .satisfies(answer -> assertThat(answer.body()).contains("line 4", "nothing was imported"));
    assertThat(operator.get("/api/keys/" + third.jkt()).statusCode()).isEqualTo(404);
    assertThat(send("/api/keys?d=plant", "text/csv", table).statusCode()).isEqualTo(201);
    assertThat(key(third).get("ep").asString()).isEqualTo("listed-3");

    assertThat(
            operator.send("DELETE", "/api/keys/" + third.jkt() + "?d=plant", "", "").statusCode())
        .isEqualTo(204);
    assertThat(operator.get("/api/keys/" + third.jkt()).statusCode()).isEqualTo(404);
    assertThat(operator.read("/api/domains/plant").get("use").get("listed").asInt()).isEqualTo(2);
  }

  private HttpResponse<String> send(String path, String type, String body) {
    return operator.send("POST", path, type, body);
  }

  @Test
  void aRefusedImportNamesThePlaceOfTheError() {
    String jwk = new SleepyEndpoint("x").jwk();
    String pair = jwk.replace("{", "{\"d\":\"c2VjcmV0\",");
    for (String[] wrong :
        new String[][] {
          {"application/jwk-set+json", "{\"keys\":[" + jwk + "," + pair + "]}", "keys[1]"},
          {"application/jwk-set+json", "{\"keys\":[" + jwk + "," + jwk + "]}", "is in keys[0]"},
          {"application/jwk-set+json", "{\"keys\":[]}", "no key"},
          {"application/jwk-set+json", "{\n\n{", "line 3"},
          {"application/jwk-set+json", jwk, "array"},
          {"text/csv", "jkt\nshort\nshorter\n", "line 2"},
          {"text/csv", "jkt\nshort\nshorter\n", "; line 3"},
          {"text/csv", "jkt\n" + "A".repeat(42) + "B\n", "no key has the thumbprint"},
          {"text/csv", "jkt,colour\nx,red\n", "colour"},
          {
            "text/csv", "jkt,d\n" + new SleepyEndpoint("y").jkt() + ",else\n", "for domain \"else\""
          },
          {"text/csv", "ep\nmote\n", "the columns must"},
        }) {
      HttpResponse<String> answer = send("/api/keys?d=plant", wrong[0], wrong[1]);
      assertThat(answer.statusCode()).as(wrong[1]).isEqualTo(400);
      assertThat(JSON.readTree(answer.body()).get("detail").asString()).contains(wrong[2]);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    }
    assertThat(send("/api/keys?d=-", "text/csv", "jkt\n").statusCode())
        .as("a domain that does not trust by list")
        .isEqualTo(409);
    assertThat(send("/api/keys?d=nowhere", "text/csv", "jkt\n").statusCode()).isEqualTo(404);
    assertThat(send("/api/keys?d=plant", "text/plain", "jkt\n").statusCode()).isEqualTo(415);
  }

  @Test
  void keysArePagedByDomainAndNameWithoutGapsOrRepeats() {
    for (int i = 0; i < 5; i++) {
      http.register(new SleepyEndpoint("paged-" + i), 1, LINKS);
    }
    JsonNode whole = operator.read("/api/keys?limit=1000").get("keys");
    List<JsonNode> seen = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = operator.read("/api/keys?limit=2" + after);
      assertThat(page.get("keys").size()).isBetween(1, 2);
      page.get("keys").forEach(seen::add);
      after = page.has("next") ? "&after=" + page.get("next").asString() : "";
    } while (!after.isEmpty());
    assertThat(seen).as("page by page").containsExactlyElementsOf(whole);
    assertThat(seen)
        .extracting(key -> key.path("d").asString("") + " " + key.path("ep").asString(""))
        .isSorted();
    assertThat(seen).filteredOn(key -> key.path("ep").asString("").startsWith("paged-")).hasSize(5);
    assertThat(operator.get("/api/keys?limit=0").statusCode()).isEqualTo(400);
    assertThat(operator.get("/api/keys?after=zzz").statusCode()).isEqualTo(400);
  }
}
