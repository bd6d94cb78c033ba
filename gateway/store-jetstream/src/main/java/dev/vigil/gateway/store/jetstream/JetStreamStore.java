package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.jetstream.contact.StreamContact;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.gateway.time.SystemTime;
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
import java.time.Clock;
import java.time.Duration;
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

  /** The time for an answer of the stream's leader while the store is opened. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final SqliteReplica replica;
  private final Connection connection;
  private final SubmitterThread submitter;
  private final LogFollower follower;
  private final StreamContact contact;
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
        opened.follower.reconnected();
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

  /** Opens a store whose repairs are only logged. */
  public static JetStreamStore open(
      ClusterOptions options, Path folder, SecureRandom random, LongSupplier nanoTime) {
    return open(options, folder, random, SystemTime.CLOCK, nanoTime, RepairLog.NONE);
  }

  /**
   * Opens the replica in a folder, and the stream, which is created if it is missing. Returns once
   * the replica has all messages that the stream had, and the stream has all that this gateway had.
   *
   * @param random makes the ids of batches and of a new stream, which must never repeat
   * @param clock compared with the servers'
   * @param nanoTime monotonic nanoseconds
   * @throws StoreException when the cluster cannot be reached or is not safe, or the folder does
   *     not belong to it; the message states the fault and the remedy
   */
  public static JetStreamStore open(
      ClusterOptions options,
      Path folder,
      SecureRandom random,
      Clock clock,
      LongSupplier nanoTime,
      RepairLog repairs) {
    Subjects subjects = new Subjects(options.stream());
    Reconnections reconnections = new Reconnections(Cluster.names(options));
    Connection connection = Cluster.connect(options, random, reconnections);
    try {
      Head former = options.adopt() ? ReplicaFiles.head(folder) : null;
      FeedStream stream =
          FeedStream.open(
              connection, options, subjects, random, former == null ? 0 : former.position());
      StreamContact contact =
          StreamContact.begin(connection, stream.name(), options.allowWeak(), clock, nanoTime);
      StreamMessages messages = new StreamMessages(connection, stream.name(), ANSWER);
      String fault = new ReplicaCheck(messages, stream).setAside(folder, options.adopt());
      if (fault != null) {
        repairs.lost(fault);
      }
      Head head = ReplicaFiles.head(folder);
      SqliteReplica replica = SqliteReplica.open(folder, stream.id(), stream.last(), nanoTime);
      try {
        StreamClient client = new StreamClient(connection, stream);
        SubmitterThread submitter =
            new SubmitterThread(
                client,
                replica,
                subjects,
                random.nextLong(),
                reason -> suspect(folder, reason, repairs),
                nanoTime,
                options.patience().toNanos());
        LogFollower follower =
            new LogFollower(
                connection,
                stream,
                replica,
                subjects,
                submitter,
                head == null ? new byte[0] : head.hash());
        JetStreamStore store =
            new JetStreamStore(replica, connection, submitter, follower, contact);
        reconnections.store = store;
        store.start(
            stream.isEmpty() ? 0 : stream.last(),
            nanoTime,
            () ->
                new Repair(
                        client,
                        messages,
                        replica,
                        subjects,
                        submitter,
                        stream,
                        random.nextLong(),
                        nanoTime)
                    .runAll(folder, repairs));
        return store;
      } catch (RuntimeException e) {
        replica.close();
        throw e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close(connection);
      throw new StoreException("interrupted while the replica was checked", e);
    } catch (RuntimeException e) {
      close(connection);
      throw e;
    }
  }

  private static void suspect(Path folder, String reason, RepairLog repairs) {
    ReplicaFiles.suspect(folder, reason);
    repairs.lost(reason);
  }

  private JetStreamStore(
      SqliteReplica replica,
      Connection connection,
      SubmitterThread submitter,
      LogFollower follower,
      StreamContact contact) {
    super(replica);
    this.replica = replica;
    this.connection = connection;
    this.submitter = submitter;
    this.follower = follower;
    this.contact = contact;
  }

  /** Work before the store is used. */
  @FunctionalInterface
  private interface Preparation {
    void run() throws InterruptedException;
  }

  private void start(long last, LongSupplier nanoTime, Preparation repair) {
    submitter.start();
    follower.start();
    contact.start(this::cannotFollow);
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
      repair.run();
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

  @Override
  public CompanionFiles companions() {
    return replica.store().companions();
  }

  /** The superseded facts that stay in histories, in the replica. */
  @Override
  public OlderFacts olderFacts() {
    return replica.store().olderFacts();
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
    return cannotFollow() || contact.isLost();
  }

  @Override
  public Optional<ClusterContact> contact() {
    return Optional.of(contact.present(isFailing(), position()));
  }

  private boolean cannotFollow() {
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
    contact.close();
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
