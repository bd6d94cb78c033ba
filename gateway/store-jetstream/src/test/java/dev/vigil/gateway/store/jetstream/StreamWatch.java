package dev.vigil.gateway.store.jetstream;

import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ClusterInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A client that notices quickly when a stream has a leader again. */
final class StreamWatch implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofMillis(250);
  private static final Duration RECONNECT = Duration.ofMillis(20);

  private final Connection connection;

  StreamWatch(List<String> urls) throws IOException, InterruptedException {
    connection =
        Nats.connect(
            new Options.Builder()
                .servers(urls.toArray(String[]::new))
                .maxReconnects(-1)
                .reconnectWait(RECONNECT)
                .reconnectJitter(RECONNECT)
                .errorListener(new ErrorListener() {})
                .build());
  }

  /** Whether the stream's leader answers. */
  boolean hasLeader(String stream) {
    try {
      JetStreamManagement management =
          connection.jetStreamManagement(JetStreamOptions.builder().requestTimeout(ANSWER).build());
      ClusterInfo cluster = management.getStreamInfo(stream).getClusterInfo();
      return Objects.requireNonNull(cluster).getLeader() != null;
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
