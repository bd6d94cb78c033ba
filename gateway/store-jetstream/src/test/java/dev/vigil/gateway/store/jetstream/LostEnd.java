package dev.vigil.gateway.store.jetstream;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Servers that lose the end of a stream. */
final class LostEnd {
  private record Stored(String subject, byte[] octets) {}

  private LostEnd() {}

  /** Makes a stream again with its messages up to a position, at their positions. */
  static void cut(String stream, long last) throws IOException, JetStreamApiException {
    NatsCluster.shared()
        .run(
            management -> {
              StreamConfiguration found = management.getStreamInfo(stream).getConfiguration();
              StreamState state = management.getStreamInfo(stream).getStreamState();
              List<Stored> messages = new ArrayList<>();
              for (long i = state.getFirstSequence(); i <= last; i++) {
                var message = management.getMessage(stream, i);
                messages.add(new Stored(message.getSubject(), message.getData()));
              }
              management.deleteStream(stream);
              management.addStream(
                  StreamConfiguration.builder(found)
                      .firstSequence(state.getFirstSequence())
                      .build());
              for (Stored message : messages) {
                NatsCluster.publish(management, message.subject(), message.octets());
              }
              return true;
            });
  }
}
