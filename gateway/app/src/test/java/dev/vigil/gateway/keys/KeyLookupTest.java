package dev.vigil.gateway.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.KeyView;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys are found by their thumbprints without reading other keys. */
class KeyLookupTest {
  private static final int OTHERS = 20;

  @TempDir Path folder = Path.of("");

  private static String register(HttpTestClient http, SleepyEndpoint mote) {
    return http.register(mote, 1, "</temp>;rt=t").substring("/ms/".length());
  }

  /** Asks for a name that another key has. */
  private static void requireHeld(HttpTestClient http, SleepyEndpoint mote) {
    String body = mote.registration(1, "</temp>;rt=t");
    HttpResponse<String> held = http.send("POST", "/ms?ep=mote", "application/jose", body);
    assertThat(held.statusCode()).as(held.body()).isEqualTo(403);
  }

  @Test
  void aLookupReadsNoOtherKey() {
    try (InProcessGateway gateway = new InProcessGateway(folder, "--vigil.trust=approve")) {
      HttpTestClient http = new HttpTestClient(gateway.address("http"));
      OperatorClient operator = new OperatorClient(gateway);
      for (int i = 0; i < OTHERS; i++) {
        register(http, new SleepyEndpoint("other-" + i));
      }
      SleepyEndpoint mote = new SleepyEndpoint("mote");
      String id = register(http, mote);
      SleepyEndpoint successor = new SleepyEndpoint("mote");
      List<KeyView> seen = new ArrayList<>();
      KeyDecisions decisions = gateway.bean(KeyDecisions.class);

      assertThat(decisions.find(mote.jkt(), seen::add))
          .singleElement()
          .satisfies(key -> assertThat(key.state()).isEqualTo(TrustState.PENDING));
      assertThat(operator.post("/api/keys/" + mote.jkt() + "/approve").body())
          .contains("\"state\":\"trusted\"");
      assertThat(decisions.find(mote.jkt(), seen::add))
          .singleElement()
          .satisfies(key -> assertThat(key.state()).isEqualTo(TrustState.TRUSTED));
      assertThat(decisions.find(successor.jkt(), seen::add)).isEmpty();
      requireHeld(http, successor);
      assertThat(decisions.find(successor.jkt(), seen::add))
          .singleElement()
          .satisfies(key -> assertThat(key.held()).isTrue());
      assertThat(operator.post("/api/keys/" + successor.jkt() + "/approve").statusCode())
          .isEqualTo(200);
      assertThat(decisions.find(mote.jkt(), seen::add))
          .singleElement()
          .satisfies(key -> assertThat(key.state()).isEqualTo(TrustState.REPLACED));
      assertThat(operator.post("/api/keys/" + mote.jkt() + "/revoke").statusCode()).isEqualTo(204);
      assertThat(decisions.find(mote.jkt(), seen::add))
          .singleElement()
          .satisfies(key -> assertThat(key.state()).isEqualTo(TrustState.REVOKED));
      assertThat(operator.send("DELETE", "/api/endpoints/" + id, "", "").statusCode())
          .isEqualTo(204);
      assertThat(decisions.find(successor.jkt(), seen::add)).isEmpty();
      assertThat(seen).extracting(KeyView::jkt).containsOnly(mote.jkt(), successor.jkt());
    }
  }
}
