package dev.vigil.gateway.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.EndpointName;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DueQueueTest {
  private static final EndpointName A = new EndpointName("a", "");
  private static final EndpointName B = new EndpointName("b", "");
  private static final long NOW = 1_000_000;

  private final DueQueue agenda =
      new DueQueue(Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC));

  @Test
  void eachEndpointIsTakenOnceAtItsEarliestTime() throws InterruptedException {
    agenda.at(A, NOW);
    agenda.at(B, NOW - 5);
    agenda.at(A, NOW - 10);
    agenda.at(A, NOW + 50);
    assertThat(agenda.take()).isEqualTo(A);
    assertThat(agenda.take()).isEqualTo(B);
    agenda.now(B);
    assertThat(agenda.take()).as("A does not come again").isEqualTo(B);
  }

  @Test
  void closingEndsAWaitingTake() throws Exception {
    agenda.at(A, NOW + 1);
    CompletableFuture<Boolean> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                waiting.complete(agenda.take() == null);
              } catch (InterruptedException e) {
                waiting.completeExceptionally(e);
              }
            });
    agenda.close();
    assertThat(waiting.get()).isTrue();
  }

  @Test
  void nothingIsTakenDuringAPause() throws InterruptedException {
    agenda.now(A);
    agenda.pause(NOW + 1);
    agenda.close();
    assertThat(agenda.take()).isNull();
  }
}
