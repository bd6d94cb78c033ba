package dev.vigil.gateway.store.jetstream;

import java.time.Duration;
import java.util.List;

/**
 * How a gateway reaches its cluster.
 *
 * @param servers URLs, such as {@code nats://HOST:4222} or {@code tls://HOST:4222}; one {@code tls}
 *     makes TLS mandatory for all
 * @param stream name of the stream; letters, digits, {@code -} and {@code _}
 * @param security certificates and credentials
 * @param replicas copies of the stream when it is created
 * @param allowWeak permits less than three copies on disk and servers of any version, for trials
 * @param adopt permits a stream other than the one of the replica, which then receives what the
 *     replica has
 * @param patience the time after which a batch that is certainly not stored fails while the cluster
 *     is unavailable
 */
public record ClusterOptions(
    List<String> servers,
    String stream,
    ClusterSecurity security,
    int replicas,
    boolean allowWeak,
    boolean adopt,
    Duration patience) {

  /** The copies of a stream that survives the loss of a server. */
  public static final int MIN_REPLICAS = 3;

  static final String TLS = "tls://";

  /**
   * @throws IllegalArgumentException when there is no server, a URL has another scheme, or the
   *     stream has no plain name; the message does not contain the URLs, which may have passwords
   */
  public ClusterOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty() || !stream.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new IllegalArgumentException("a cluster has servers and a stream with a plain name");
    }
    // Other schemes of the client library trust every certificate.
    if (!servers.stream().allMatch(url -> url.startsWith("nats://") || url.startsWith(TLS))) {
      throw new IllegalArgumentException("the URL of a server begins with nats:// or tls://");
    }
  }

  /** Only the stream of the replica. */
  public ClusterOptions(
      List<String> servers,
      String stream,
      ClusterSecurity security,
      int replicas,
      boolean allowWeak,
      Duration patience) {
    this(servers, stream, security, replicas, allowWeak, false, patience);
  }

  /** Three replicas, and the patience of a gateway. */
  public ClusterOptions(List<String> servers, String stream, ClusterSecurity security) {
    this(servers, stream, security, MIN_REPLICAS, false, false, Duration.ofSeconds(10));
  }

  /** Servers without credentials, and three replicas. */
  public ClusterOptions(List<String> servers, String stream) {
    this(servers, stream, ClusterSecurity.NONE);
  }

  /** Without the URLs, which may have passwords, and without the names of files. */
  @Override
  public String toString() {
    return stream + " on " + Cluster.names(this);
  }

  /** Whether the gateway refuses servers that do not encrypt. */
  boolean requiresTls() {
    return security.ca() != null
        || security.certificate() != null
        || servers.stream().anyMatch(url -> url.startsWith(TLS));
  }
}
