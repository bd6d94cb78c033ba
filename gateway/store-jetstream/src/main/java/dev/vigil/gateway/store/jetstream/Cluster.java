package dev.vigil.gateway.store.jetstream;

import dev.vigil.store.StoreException;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects to the servers and explains failures to the operator. */
final class Cluster {
  private static final Logger log = LoggerFactory.getLogger(Cluster.class);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration RECONNECT_WAIT = Duration.ofMillis(250);

  /** Two unanswered pings end a connection to a server that has stopped. */
  private static final Duration PING = Duration.ofSeconds(2);

  private Cluster() {}

  /**
   * @throws StoreException when no server can be reached or the servers refuse the credentials
   */
  static Connection connect(ClusterOptions options, ConnectionListener listener) {
    String servers = names(options);
    if (options.credentials() != null && !Files.isReadable(options.credentials())) {
      throw new StoreException(
          "cannot read the credentials file %s: correct its path, owner or mode"
              .formatted(options.credentials()));
    }
    try {
      return Nats.connect(natsOptions(options, listener));
    } catch (AuthenticationException e) {
      throw new StoreException(
          "the NATS servers %s refuse the credentials: correct the user in --store or the credentials file"
              .formatted(servers));
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      // Messages of the library contain the URLs with their passwords.
      throw new StoreException(
          "cannot connect to the NATS servers %s: start them, or correct --store"
              .formatted(servers));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while connecting to " + servers, e);
    }
  }

  /** The servers without user names and passwords. */
  static String names(ClusterOptions options) {
    List<String> names =
        options.servers().stream().map(url -> url.replaceFirst("//[^/]*@", "//")).toList();
    return String.join(",", names);
  }

  private static Options natsOptions(ClusterOptions options, ConnectionListener listener) {
    Options.Builder builder =
        new Options.Builder()
            .servers(options.servers().toArray(String[]::new))
            .connectionName("vigil")
            .connectionTimeout(CONNECT_TIMEOUT)
            .maxReconnects(-1)
            .reconnectWait(RECONNECT_WAIT)
            .reconnectJitter(RECONNECT_WAIT)
            .pingInterval(PING)
            .requestCleanupInterval(Duration.ofSeconds(1))
            .reportNoResponders()
            .useDispatcherWithExecutor()
            .errorListener(new QuietErrors())
            .connectionListener(listener);
    if (options.credentials() != null) {
      builder.credentialPath(options.credentials().toString());
    }
    if (options.tls() != null) {
      builder.sslContext(options.tls());
    }
    return builder.build();
  }

  /** Every failure is handled where its request is made; the library's reports are details. */
  private static final class QuietErrors implements ErrorListener {
    @Override
    public void errorOccurred(Connection connection, String error) {
      log.debug("NATS: {}", error);
    }

    @Override
    public void exceptionOccurred(Connection connection, Exception e) {
      log.debug("NATS: {}", e.toString());
    }

    @Override
    public void slowConsumerDetected(Connection connection, Consumer consumer) {
      log.debug("NATS: the replica reads too slowly; it asks again for what was dropped");
    }
  }
}
