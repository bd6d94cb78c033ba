package dev.vigil.gateway.store.jetstream.messages;

import dev.vigil.store.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads single messages of a stream. Any thread may call it. */
public final class StreamMessages {
  private static final long BETWEEN_MILLIS = 250;

  /**
   * The number of times that a missing message is requested: a new leader may not know the newest
   * ones.
   */
  private static final int QUESTIONS = 8;

  private final Connection connection;
  private final String stream;
  private final JetStreamOptions options;

  /**
   * @param answer the time in which the stream's leader must answer
   */
  public StreamMessages(Connection connection, String stream, Duration answer) {
    this.connection = connection;
    this.stream = stream;
    this.options = JetStreamOptions.builder().requestTimeout(answer).build();
  }

  /**
   * The hash of a message; null if the stream does not have it.
   *
   * @throws StoreException when the stream does not answer
   */
  public byte @Nullable [] hash(long position) throws InterruptedException {
    return hash(position, QUESTIONS);
  }

  /** The same, without waiting for a leader that may not know the message yet. */
  public byte @Nullable [] hashNow(long position) throws InterruptedException {
    return hash(position, 1);
  }

  private byte @Nullable [] hash(long position, int questions) throws InterruptedException {
    for (int i = 1; ; i++) {
      try {
        byte[] octets =
            connection.jetStreamManagement(options).getMessage(stream, position).getData();
        return MessageHash.of(octets == null ? new byte[0] : octets);
      } catch (JetStreamApiException e) {
        if (e.getApiErrorCode() != ApiCode.NO_MESSAGE) {
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

  /**
   * The positions of the oldest and the newest message.
   *
   * @param isEmpty whether there is no message; then {@code last} is {@code first - 1}
   */
  public record Range(long first, long last, boolean isEmpty) {
    public static Range of(StreamInfo info) {
      StreamState state = info.getStreamState();
      return new Range(state.getFirstSequence(), state.getLastSequence(), state.getMsgCount() == 0);
    }
  }

  /**
   * The range of the stream.
   *
   * @throws IOException when no leader with a majority answers
   */
  public Range range() throws IOException, JetStreamApiException {
    return Range.of(LeaderAnswer.ask(connection.jetStreamManagement(options), stream));
  }
}
