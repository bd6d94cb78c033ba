package dev.vigil.gateway.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An operator approves keys while a stranger registers the same names with new keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApprovalUnderAttackTest {
  private static final String LINKS = "</temp>;rt=\"temperature\"";
  private static final int APPROVALS = 6;

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.trust=approve",
            "--vigil.default-domain.limits.names-per-minute=100000");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private int register(SleepyEndpoint sleeper, long seq) {
    return http.send(
            "POST", "/ms?ep=" + sleeper.ep(), "application/jose", sleeper.registration(seq, LINKS))
        .statusCode();
  }

  private JsonNode key(SleepyEndpoint sleeper) {
    return operator.read("/api/keys/" + sleeper.jkt()).get("keys").get(0);
  }

  @Test
  void everyApprovalSucceedsWhileAStrangerRegistersTheNames()
      throws InterruptedException, ExecutionException {
    for (int i = 0; i < APPROVALS; i++) {
      assertThat(register(new SleepyEndpoint("wanted-" + i), 1L << 32)).isEqualTo(201);
    }
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger attempts = new AtomicInteger();
    ExecutorService stranger = Executors.newSingleThreadExecutor();
    try {
      Future<?> attack =
          stranger.submit(
              () -> {
                while (!over.get()) {
                  register(
                      new SleepyEndpoint("wanted-" + attempts.getAndIncrement() % APPROVALS), 1);
                }
              });
      for (int i = 0; i < APPROVALS; i++) {
        SleepyEndpoint mote = new SleepyEndpoint("wanted-" + i);
        // All registrations come from one address here, so the mote may find no place and be
        // refused.
        assertThat(register(mote, 1)).isEqualTo(403);
        String endpoint =
            operator
                .read("/api/endpoints?ep=" + mote.ep())
                .get("endpoints")
                .get(0)
                .get("id")
                .asString();
        String path = "/api/keys/" + mote.jkt() + "/approve?endpoint=" + endpoint;
        assertThat(operator.post(path).statusCode()).as("approval %d", i).isEqualTo(200);
        assertThat(register(mote, 2)).as("mote %d", i).isEqualTo(201);
        assertThat(key(mote).get("state").asString()).isEqualTo("trusted");
        assertThat(
                http.send(
                        "PUT",
                        "/ms/" + endpoint + "/temp",
                        "application/jose",
                        mote.update("temp", 3, 20))
                    .statusCode())
            .isEqualTo(201);
      }
      over.set(true);
      attack.get();
    } finally {
      over.set(true);
      stranger.shutdown();
    }
    assertThat(attempts.get()).isPositive();
  }

  @Test
  void aKeyThatNeverWaitedIsApprovedByItsThumbprint() {
    SleepyEndpoint mote = new SleepyEndpoint("labelled");
    register(new SleepyEndpoint("labelled"), 9);
    assertThat(operator.post("/api/keys/" + mote.jkt() + "/approve").statusCode()).isEqualTo(200);
    assertThat(key(mote).get("state").asString()).isEqualTo("listed");
    assertThat(register(mote, 1)).isEqualTo(201);
    assertThat(key(mote).get("state").asString()).isEqualTo("trusted");
    assertThat(operator.post("/api/keys/short/approve").statusCode()).isEqualTo(400);
  }

  @Test
  void everyWaitingKeyOfANameIsShownWithItsSource() {
    SleepyEndpoint first = new SleepyEndpoint("shown");
    SleepyEndpoint second = new SleepyEndpoint("shown");
    register(first, 1);
    register(second, 1);
    JsonNode waiting =
        operator.read("/api/endpoints?ep=shown").get("endpoints").get(0).get("waitingKeys");
    assertThat(waiting.findValuesAsString("thumbprint")).containsExactly(first.jkt(), second.jkt());
    assertThat(waiting.findValuesAsString("from")).containsOnly("127.0.0.1");
    assertThat(waiting.findValuesAsString("since")).hasSize(2).allMatch(at -> at.endsWith("Z"));
    assertThat(key(second).get("waitingFrom").asString()).isEqualTo("127.0.0.1");
    assertThat(key(second).get("waitingSince").asString()).endsWith("Z");
  }
}
