package dev.vigil.gateway.store.jetstream.messages;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.Replica;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The description of a stream by a leader that reaches a majority of its servers. A server that
 * reaches no other one describes the stream too: for 18 s as its leader, and then without a leader
 * (seen with nats-server 2.15.1).
 */
public final class LeaderAnswer {
  /** A follower that is reached answers its leader every second. */
  private static final Duration REACHED = Duration.ofSeconds(5);

  private LeaderAnswer() {}

  /**
   * Asks for the description.
   *
   * @throws IOException when nobody answers, or only a server without a majority
   */
  public static StreamInfo ask(JetStreamManagement management, String stream)
      throws IOException, JetStreamApiException {
    StreamInfo info = management.getStreamInfo(stream);
    if (!hasMajority(info)) {
      throw new IOException("no leader with a majority");
    }
    return info;
  }

  static boolean hasMajority(StreamInfo info) {
    int copies = info.getConfiguration().getReplicas();
    ClusterInfo cluster = info.getClusterInfo();
    if (cluster == null) {
      return copies == 1;
    }
    String leader = cluster.getLeader();
    if (leader == null || leader.isEmpty()) {
      return false;
    }
    List<Replica> followers = cluster.getReplicas();
    long reached =
        followers == null ? 0 : followers.stream().filter(LeaderAnswer::isReached).count();
    return 2 * (1 + reached) > copies;
  }

  private static boolean isReached(Replica follower) {
    return !follower.isOffline() && follower.getActive().compareTo(REACHED) <= 0;
  }
}
