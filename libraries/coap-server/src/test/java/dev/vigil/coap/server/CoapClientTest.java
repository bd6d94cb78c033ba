package dev.vigil.coap.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class CoapClientTest {
  @Test
  void aQueryThatIsTooLongFailsItsRequestAlone() {
    Query query = new Query(List.of(new Query.Parameter("et", "x".repeat(253))));
    ClientRequest request =
        new ClientRequest(
            Method.POST, URI.create("coap://127.0.0.1"), List.of("rd"), query, null, new byte[0]);
    assertThat(new CoapClient().send(request))
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(IllegalArgumentException.class);
  }
}
