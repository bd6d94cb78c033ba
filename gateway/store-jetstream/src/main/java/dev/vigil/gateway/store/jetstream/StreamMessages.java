package dev.vigil.gateway.store.jetstream;

import dev.vigil.store.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads single messages of a stream. Any thread may call it. */
final class StreamMessages {
  private static final long BETWEEN_MILLIS = 250;
  private static final int NO_MESSAGE = 10037;

  private final Connection connection;
  private final String stream;
  private final JetStreamOptions options;

  /**
   * @param answer the time in which the stream's leader must answer
   */
  StreamMessages(Connection connection, String stream, Duration answer) {
    this.connection = connection;
    this.stream = stream;
    this.options = JetStreamOptions.builder().requestTimeout(answer).build();
  }

  /**
   * The hash of a message; null if the stream does not have it.
   *
   * @param questions the times that a missing message is asked for
   * @throws StoreException when the stream does not answer
   */
  byte @Nullable [] hash(long position, int questions) throws InterruptedException {
    for (int i = 1; ; i++) {
      try {
        byte[] octets =
            connection.jetStreamManagement(options).getMessage(stream, position).getData();
        return BatchMessage.hash(octets == null ? new byte[0] : octets);
      } catch (JetStreamApiException e) {
        if (e.getApiErrorCode() != NO_MESSAGE) {
          throw new StoreException(
              "the stream %s cannot be read: %s".formatted(stream, e.getMessage()), e);
        }
        if (i == questions) {
          return null;
        }
      } catch (IOException e) {
        throw new StoreException(
            "the stream %s does not answer (%s): start a majority of the NATS servers"
                .formatted(stream, e.getMessage()),
            e);
      }
      TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
    }
  }
}
