package dev.vigil.gateway.store.jetstream.contact;

import dev.vigil.gateway.store.jetstream.messages.LeaderAnswer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.Replica;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream as its leader described it.
 *
 * @param at the leader's time; null from servers that do not report it
 * @param last position of the newest message
 * @param servers the servers that have the whole stream, the leader among them
 * @param copies the servers that should have it
 */
record StreamReport(@Nullable ZonedDateTime at, long last, int servers, int copies) {
  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** A question to the leader. */
  @FunctionalInterface
  interface Question {
    StreamReport ask() throws IOException, JetStreamApiException;
  }

  static Question about(Connection connection, String stream) {
    JetStreamOptions options = JetStreamOptions.builder().requestTimeout(ANSWER).build();
    return () -> of(LeaderAnswer.ask(connection.jetStreamManagement(options), stream));
  }

  private static StreamReport of(StreamInfo info) {
    ClusterInfo cluster = info.getClusterInfo();
    List<Replica> followers = cluster == null ? null : cluster.getReplicas();
    long current =
        followers == null
            ? 0
            : followers.stream().filter(one -> one.isCurrent() && !one.isOffline()).count();
    return new StreamReport(
        info.getTimestamp(),
        info.getStreamState().getLastSequence(),
        1 + Math.toIntExact(current),
        info.getConfiguration().getReplicas());
  }
}
