package dev.vigil.gateway.store.jetstream.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ElectionTest {
  private int asked;

  private String ask(int failures, String error) throws IOException, JetStreamApiException {
    if (asked++ < failures) {
      throw new AssertionError(
          new PublishAck(
                  NatsMessage.builder().subject("a").data("{\"error\":" + error + "}").build())
              .getSeqno());
    }
    return "made";
  }

  /** As nats-server 2.15 answered to a gateway that was started right after it. */
  @Test
  void serversThatDoNotKnowEachOtherYetAreAskedAgain() throws Exception {
    String early =
        """
        {"code": 400, "err_code": 10005, "description": "no suitable peers for placement"}""";
    assertThat(Election.await(() -> ask(1, early))).isEqualTo("made");
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void anotherRefusalIsFinal() {
    String error =
        """
        {"code": 500, "err_code": 10074, "description": "replicas > 1 not supported"}""";
    assertThatThrownBy(() -> Election.await(() -> ask(1, error)))
        .isInstanceOf(JetStreamApiException.class);
    assertThat(asked).isEqualTo(1);
  }
}
