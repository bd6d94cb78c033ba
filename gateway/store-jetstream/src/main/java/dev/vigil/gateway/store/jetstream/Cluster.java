package dev.vigil.gateway.store.jetstream;

import dev.vigil.store.StoreException;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;

/** Connects to the servers and explains failures to the operator. */
final class Cluster {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /** Busy servers may need longer than one timeout. */
  private static final int ATTEMPTS = 2;

  private static final Duration RECONNECT_WAIT = Duration.ofMillis(250);

  /** Two unanswered pings end a connection to a server that has stopped. */
  private static final Duration PING = Duration.ofSeconds(1);

  private Cluster() {}

  /**
   * @throws StoreException when no server can be reached or trusted, or the servers refuse this
   *     gateway
   */
  static Connection connect(
      ClusterOptions options, SecureRandom random, ConnectionListener listener) {
    String servers = names(options);
    for (int i = 1; ; i++) {
      ConnectionFaults faults = new ConnectionFaults();
      try {
        return Nats.connect(natsOptions(options, random, listener, faults));
      } catch (AuthenticationException e) {
        throw refused(servers);
      } catch (IOException | IllegalArgumentException | IllegalStateException e) {
        faults.await();
        // Messages of the library contain the URLs with their passwords.
        if (i == ATTEMPTS || !faults.isTimeout()) {
          throw new StoreException(faults.explain(options));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("interrupted while connecting to " + servers, e);
      }
    }
  }

  /** The failure when servers refuse the user. */
  static StoreException refused(String servers) {
    return new StoreException(
        "the NATS servers %s refuse the credentials: correct the file that vigil.cluster.credentials names"
            .formatted(servers));
  }

  /** The servers without user names and passwords. */
  static String names(ClusterOptions options) {
    return String.join(",", options.servers().stream().map(Cluster::withoutUsers).toList());
  }

  /** A text without the user names and passwords of its URLs. */
  static String withoutUsers(String text) {
    return text.replaceAll("//[^/\\s]*@", "//");
  }

  /**
   * @throws StoreException when a file cannot be used
   */
  private static Options natsOptions(
      ClusterOptions options,
      SecureRandom random,
      ConnectionListener listener,
      ConnectionFaults faults) {
    Options.Builder builder =
        new Options.Builder()
            .servers(options.servers().toArray(String[]::new))
            .connectionName("vigil")
            .connectionTimeout(CONNECT_TIMEOUT)
            .maxReconnects(-1)
            .reconnectWait(RECONNECT_WAIT)
            .reconnectJitter(RECONNECT_WAIT)
            .reconnectJitterTls(RECONNECT_WAIT)
            .pingInterval(PING)
            .requestCleanupInterval(Duration.ofSeconds(1))
            .reportNoResponders()
            .useDispatcherWithExecutor()
            .callbackExecutor(faults.reports())
            .errorListener(faults)
            .connectionListener(listener);
    try {
      Path credentials = options.security().credentials();
      if (credentials != null) {
        builder.authHandler(ClusterCredentials.of(credentials));
      }
      if (options.requiresTls()) {
        // Certificates are verified for the names in the URLs, which the library would otherwise
        // replace by addresses. Servers announce addresses too.
        builder
            .sslContext(ClusterTls.context(options.security(), random))
            .hostnameResolveMode(Options.HostnameResolveMode.HappyEyeballs)
            .ignoreDiscoveredServers();
      }
    } catch (IOException e) {
      throw new StoreException(String.valueOf(e.getMessage()), e);
    }
    return builder.build();
  }
}
