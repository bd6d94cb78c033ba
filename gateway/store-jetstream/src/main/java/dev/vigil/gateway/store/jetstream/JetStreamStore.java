package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.ForwardingStore;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The store of several gateways on one NATS cluster. A batch is acknowledged once a quorum of
 * servers has its outcome on disk and this gateway's replica has applied it. Everything is read
 * from the replica, which may be behind what other gateways have stored. The package's
 * documentation lists the threads.
 */
public final class JetStreamStore extends ForwardingStore implements GatewayStore {
  /** The time for the answers to what was submitted before the store is closed. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The replica must receive a message in this time while the store is opened. */
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long POLL_MILLIS = 5;

  private final SqliteReplica replica;
  private final Connection connection;
  private final SubmitterThread submitter;
  private final LogFollower follower;
  private boolean closed;

  /** Reports to the store that the connection has returned, or never will. */
  private static final class Reconnections implements ConnectionListener {
    private final String servers;
    private volatile @Nullable JetStreamStore store;

    Reconnections(String servers) {
      this.servers = servers;
    }

    @Override
    public void connectionEvent(Connection connection, Events event, Long time, String uriDetails) {
      JetStreamStore opened = store;
      if (event == Events.RESUBSCRIBED && opened != null) {
        opened.submitter.reconnected();
        opened.follower.readAgain();
      } else if (event == Events.CLOSED && opened != null && !opened.submitter.isClosed()) {
        // The library tries again for all other reasons.
        opened.submitter.halt(Cluster.refused(servers));
      }
    }

    @Override
    @Deprecated
    public void connectionEvent(Connection connection, Events event) {
      connectionEvent(connection, event, 0L, "");
    }
  }

  /**
   * Opens the replica in a folder, and the stream, which is created if it is missing. Returns once
   * the replica has all messages that the stream had.
   *
   * @param random makes the ids of batches and of a new stream, which must never repeat
   * @param nanoTime monotonic nanoseconds
   * @throws StoreException when the cluster cannot be reached or is not safe, or the folder does
   *     not belong to it; the message states the fault and the remedy
   */
  public static JetStreamStore open(
      ClusterOptions options, Path folder, SecureRandom random, LongSupplier nanoTime) {
    Subjects subjects = new Subjects(options.stream());
    Reconnections reconnections = new Reconnections(Cluster.names(options));
    Connection connection = Cluster.connect(options, random, reconnections);
    try {
      FeedStream stream = FeedStream.open(connection, options, subjects, random);
      SqliteReplica replica = SqliteReplica.open(folder, stream.id(), nanoTime);
      try {
        requireContinues(stream, replica.position());
        JetStreamStore store =
            new JetStreamStore(
                replica, connection, stream, subjects, options, random.nextLong(), nanoTime);
        reconnections.store = store;
        store.start(stream.last(), nanoTime);
        return store;
      } catch (RuntimeException e) {
        replica.close();
        throw e;
      }
    } catch (RuntimeException e) {
      close(connection);
      throw e;
    }
  }

  private static void requireContinues(FeedStream stream, long position) {
    if (stream.last() < position) {
      throw new StoreException(
          "the stream %s ends at position %d, before this replica at %d: the cluster has lost data; restore it before this gateway starts"
              .formatted(stream.name(), stream.last(), position));
    }
    if (stream.first() > position + 1) {
      throw new StoreException(
          "the stream %s begins at position %d, after this replica at %d: the cluster has lost data; restore it before this gateway starts"
              .formatted(stream.name(), stream.first(), position));
    }
  }

  private JetStreamStore(
      SqliteReplica replica,
      Connection connection,
      FeedStream stream,
      Subjects subjects,
      ClusterOptions options,
      long run,
      LongSupplier nanoTime) {
    super(replica);
    this.replica = replica;
    this.connection = connection;
    this.submitter =
        new SubmitterThread(
            new StreamClient(connection, stream),
            replica,
            subjects,
            run,
            nanoTime,
            options.patience().toNanos());
    this.follower = new LogFollower(connection, stream, replica, subjects, submitter);
  }

  private void start(long last, LongSupplier nanoTime) {
    submitter.start();
    follower.start();
    try {
      long seen = submitter.appliedPosition();
      long since = nanoTime.getAsLong();
      while (submitter.appliedPosition() < last) {
        StoreException halted = submitter.halted();
        if (halted != null) {
          throw halted;
        }
        if (submitter.appliedPosition() > seen) {
          seen = submitter.appliedPosition();
          since = nanoTime.getAsLong();
        } else if (nanoTime.getAsLong() - since > PROGRESS_NANOS) {
          throw new StoreException(
              "the replica receives nothing from the cluster: start a majority of the NATS servers");
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
      throw new StoreException("interrupted while the replica was filled", e);
    } catch (RuntimeException e) {
      stop();
      throw e;
    }
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    SqliteReplica.requireFewFacts(batch);
    return submitter.submit(batch);
  }

  @Override
  public Optional<Endpoint> endpoint(EndpointName name) {
    return replica.endpoint(name);
  }

  /** The position up to which this gateway's replica has applied the stream. */
  @Override
  public long position() {
    return submitter.appliedPosition();
  }

  @Override
  public Path folder() {
    return replica.store().folder();
  }

  @Override
  public AggregateStore aggregates() {
    return replica.store().aggregates();
  }

  /** The superseded facts that stay in histories, in the replica. */
  @Override
  public OlderFacts olderFacts() {
    return replica.store().olderFacts();
  }

  @Override
  public CompanionFiles companions() {
    return replica.store().companions();
  }

  @Override
  public Counts counts() {
    return replica.store().counts().plus(submitter.counts());
  }

  @Override
  public int endpoints() {
    return replica.store().endpoints();
  }

  @Override
  public Optional<Instant> newestTime() {
    return replica.store().newestTime();
  }

  @Override
  public long octets() {
    return replica.store().octets();
  }

  @Override
  public int waiting() {
    return submitter.waiting();
  }

  @Override
  public boolean isFailing() {
    return submitter.halted() != null
        || replica.store().isFailing()
        || follower.isInterrupted()
        || connection.getStatus() != Connection.Status.CONNECTED;
  }

  /** Waits a limited time for the answers to what was submitted, then closes the replica. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      stop();
    } finally {
      replica.close();
      close(connection);
    }
  }

  private void stop() {
    try {
      submitter.close(GRACE_NANOS);
      follower.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while closing the store", e);
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
