package dev.vigil.gateway.store.jetstream.snapshots;

import dev.vigil.gateway.store.jetstream.messages.ApiCode;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages.Range;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.PurgeOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** Removes messages from the beginning of a stream. */
public final class StreamRemoval {
  /** The servers answer once they have removed the messages. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private final Connection connection;
  private final String stream;

  /**
   * @param stream name of the stream
   */
  public StreamRemoval(Connection connection, String stream) {
    this.connection = connection;
    this.stream = stream;
  }

  private JetStreamManagement management() throws IOException {
    return connection.jetStreamManagement(
        JetStreamOptions.builder().requestTimeout(ANSWER).build());
  }

  /**
   * Removes messages that a snapshot covers and that no window keeps. The newest message that the
   * snapshot covers stays, so that the snapshot can be compared with the stream.
   *
   * @param range of the stream's messages
   * @param covered position of the snapshot
   * @param keep the number of messages that stay
   * @param keepAge messages that are younger stay. The stream's leader dates the messages; if its
   *     clock is behind, ages count from the date of the newest message
   * @param now this gateway's time
   * @return the position of the oldest message
   */
  public long remove(Range range, long covered, long keep, Duration keepAge, Instant now)
      throws IOException, JetStreamApiException {
    long first = Math.min(covered, range.last() - Math.max(1, keep) + 1);
    if (first <= range.first()) {
      return range.first();
    }
    Instant newest = management().getMessage(stream, range.last()).getTime().toInstant();
    Instant end = newest.isBefore(now) ? newest : now;
    first = Math.min(first, from(end.minus(keepAge), range));
    if (first <= range.first()) {
      return range.first();
    }
    management().purgeStream(stream, PurgeOptions.builder().sequence(first).build());
    return Range.of(management().getStreamInfo(stream)).first();
  }

  private long from(Instant since, Range range) throws IOException, JetStreamApiException {
    try {
      return management().getFirstMessage(stream, since.atZone(ZoneOffset.UTC)).getSeq();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == ApiCode.NO_MESSAGE) {
        return range.last();
      }
      throw e;
    }
  }
}
