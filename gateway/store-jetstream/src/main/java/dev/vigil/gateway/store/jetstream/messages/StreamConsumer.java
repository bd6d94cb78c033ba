package dev.vigil.gateway.store.jetstream.messages;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that delivers the messages of a stream from a position on. Any thread may close it;
 * otherwise one thread uses it. Creating one needs the leader of all JetStream servers, which may
 * be elected later than the stream's.
 */
public final class StreamConsumer implements AutoCloseable {
  private static final Duration HEARTBEAT = Duration.ofMillis(500);

  /** The servers remove a consumer that nobody reads after this time. */
  private static final Duration INACTIVE = Duration.ofSeconds(30);

  private static final String STALLED = "Nats-Consumer-Stalled";

  private final Connection connection;
  private final Subscription messages;

  private StreamConsumer(Connection connection, Subscription messages) {
    this.connection = connection;
    this.messages = messages;
  }

  /**
   * @param answer the time in which the servers must answer
   */
  public static StreamConsumer create(
      Connection connection, String stream, long from, Duration answer)
      throws IOException, JetStreamApiException {
    String inbox = connection.createInbox();
    StreamConsumer created = new StreamConsumer(connection, connection.subscribe(inbox));
    try {
      connection
          .jetStreamManagement(JetStreamOptions.builder().requestTimeout(answer).build())
          .addOrUpdateConsumer(
              stream,
              ConsumerConfiguration.builder()
                  .deliverSubject(inbox)
                  .deliverPolicy(DeliverPolicy.ByStartSequence)
                  .startSequence(from)
                  .ackPolicy(AckPolicy.None)
                  .flowControl(HEARTBEAT)
                  .inactiveThreshold(INACTIVE)
                  .memStorage(true)
                  .numReplicas(1)
                  .build());
      return created;
    } catch (IOException | JetStreamApiException | RuntimeException e) {
      created.close();
      throw e;
    }
  }

  /** The next message or heartbeat; null if there is none in a time, or it is closed. */
  public @Nullable Message next(Duration wait) throws InterruptedException {
    try {
      Message message = messages.nextMessage(wait);
      if (message != null && message.isStatusMessage()) {
        answer(message);
      }
      return message;
    } catch (IllegalStateException e) {
      return null;
    }
  }

  /** Lets the servers send more. */
  private void answer(Message status) {
    if (status.getStatus().isFlowControl() && status.getReplyTo() != null) {
      connection.publish(status.getReplyTo(), new byte[0]);
    } else if (status.getHeaders() != null && status.getHeaders().getFirst(STALLED) != null) {
      connection.publish(status.getHeaders().getFirst(STALLED), new byte[0]);
    }
  }

  @Override
  public void close() {
    try {
      if (messages.isActive()) {
        messages.unsubscribe();
      }
    } catch (IllegalStateException e) {
      // The connection or another thread has ended it.
    }
  }
}
