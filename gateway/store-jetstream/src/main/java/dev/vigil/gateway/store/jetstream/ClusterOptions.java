package dev.vigil.gateway.store.jetstream;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a gateway reaches its cluster.
 *
 * @param servers URLs, such as {@code nats://HOST:4222} or {@code tls://HOST:4222}
 * @param stream name of the stream; letters, digits, {@code -} and {@code _}
 * @param credentials file with a user's JWT and key; null if the servers need none
 * @param tls trusted authorities and the client's certificate; null for those of the system
 * @param replicas copies of the stream when it is created
 * @param allowWeak permits less than three copies on disk and servers of any version, for trials
 * @param patience the time after which a batch that is certainly not stored fails while the cluster
 *     is unavailable
 */
public record ClusterOptions(
    List<String> servers,
    String stream,
    @Nullable Path credentials,
    @Nullable SSLContext tls,
    int replicas,
    boolean allowWeak,
    Duration patience) {

  /** The copies of a stream that survives the loss of a server. */
  public static final int MIN_REPLICAS = 3;

  public ClusterOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty() || !stream.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new IllegalArgumentException("a cluster has servers and a stream with a plain name");
    }
  }

  /** Servers without TLS or credentials, and three replicas. */
  public ClusterOptions(List<String> servers, String stream) {
    this(servers, stream, null, null, MIN_REPLICAS, false, Duration.ofSeconds(10));
  }
}
