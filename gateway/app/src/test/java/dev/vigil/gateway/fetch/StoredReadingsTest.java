package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.coap.server.ClientResponse;
import dev.vigil.gateway.problems.ProblemException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StoredReadingsTest {
  @Test
  void givesUpTheRequestForWhoseAnswerNobodyWaitsAnyMore() {
    CompletableFuture<ClientResponse> unanswered = new CompletableFuture<>();
    StoredReadings readings = new StoringMote("temp").readings(request -> unanswered);
    BlockStoreId store = BlockStoreId.unnamed(StoringMote.ADDRESS);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> readings.rekey(store))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("stopping");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(unanswered).isCancelled();
  }
}
