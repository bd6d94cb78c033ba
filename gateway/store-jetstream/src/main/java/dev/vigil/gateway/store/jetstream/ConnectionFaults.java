package dev.vigil.gateway.store.jetstream;

import io.nats.client.Connection;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import java.security.cert.CertificateException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client library's reports. They only explain why the first connection failed, because every
 * later failure is handled where its request is made. Any thread may call it.
 */
final class ConnectionFaults implements ErrorListener {
  private static final Logger log = LoggerFactory.getLogger(ConnectionFaults.class);

  /** The causes that are kept; three servers and their causes need less. */
  private static final int MAX_CAUSES = 32;

  private final Queue<Throwable> causes = new ConcurrentLinkedQueue<>();
  private final ExecutorService reports = Executors.newVirtualThreadPerTaskExecutor();

  /** Runs the library's reports and events of the connection. */
  ExecutorService reports() {
    return reports;
  }

  /** Waits for the reports of a connection that failed; there are no further ones. */
  void await() {
    reports.close();
  }

  /** The reason why no server could be used, and the remedy. */
  String explain(ClusterOptions options) {
    String servers = Cluster.names(options);
    for (Throwable cause : causes) {
      String message = String.valueOf(cause.getMessage());
      // The library has no types for its two refusals.
      if (message.contains("SSL required by server")) {
        return "the NATS servers %s require TLS: write tls:// instead of nats:// in --store"
            .formatted(servers);
      }
      if (message.contains("SSL connection wanted by client")) {
        return "the NATS servers %s offer no TLS: configure it there, or write nats:// in --store and give no certificates"
            .formatted(servers);
      }
      if (cause instanceof CertificateException) {
        return "the NATS servers %s cannot be trusted (%s): correct vigil.cluster.ca or the servers' certificates"
            .formatted(servers, message);
      }
    }
    // A server that requires a certificate and gets none ends the connection after the handshake,
    // without an error message.
    boolean unfinished = causes.stream().anyMatch(SSLException.class::isInstance) || isTimeout();
    return options.requiresTls() && unfinished
        ? "the NATS servers %s do not complete TLS connections: if they ask for certificates, correct vigil.cluster.certificate and vigil.cluster.key; otherwise see their logs"
            .formatted(servers)
        : "cannot connect to the NATS servers %s: start them, or correct --store"
            .formatted(servers);
  }

  /** Whether a server was reached that did not answer in time. */
  boolean isTimeout() {
    return causes.stream().anyMatch(TimeoutException.class::isInstance);
  }

  @Override
  public void errorOccurred(Connection connection, String error) {
    log.debug("NATS: {}", Cluster.withoutUsers(error));
  }

  @Override
  public void exceptionOccurred(Connection connection, Exception e) {
    log.debug("NATS: {}", Cluster.withoutUsers(e.toString()));
    if (causes.size() < MAX_CAUSES) {
      Stream.<Throwable>iterate(e, cause -> cause != null, Throwable::getCause)
          .limit(MAX_CAUSES)
          .forEach(causes::add);
    }
  }

  @Override
  public void slowConsumerDetected(Connection connection, Consumer consumer) {
    log.debug("NATS: the replica reads too slowly; it asks again for what was dropped");
  }
}
