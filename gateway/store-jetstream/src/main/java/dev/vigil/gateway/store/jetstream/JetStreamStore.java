package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.jetstream.contact.StreamContact;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotBucket;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotMaker;
import dev.vigil.gateway.store.jetstream.snapshots.Snapshots;
import dev.vigil.gateway.store.jetstream.snapshots.StreamRemoval;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.gateway.time.SystemTime;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.ForwardingStore;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import io.nats.client.Connection;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The store of several gateways on one NATS cluster. A batch is acknowledged once a quorum of
 * servers has its outcome on disk and this gateway's replica has applied it. Everything is read
 * from the replica, which may be behind what other gateways have stored. The package's
 * documentation lists the threads.
 */
public final class JetStreamStore extends ForwardingStore implements GatewayStore {
  /** The time for which a close waits for the answers to submitted batches. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Parts parts;
  private boolean closed;

  /** Everything that {@link StoreOpening} has opened. */
  record Parts(
      Connection connection,
      FeedStream stream,
      StreamStart start,
      StreamMessages messages,
      SnapshotBucket bucket,
      SqliteReplica replica,
      SubmitterThread submitter,
      LogFollower follower,
      StreamContact contact) {}

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
    return new StoreOpening(options, folder, random, clock, nanoTime, repairs).open();
  }

  JetStreamStore(Parts parts) {
    super(parts.replica());
    this.parts = parts;
  }

  Parts parts() {
    return parts;
  }

  /** The servers do not accept this gateway any more. */
  void refused(StoreException cause) {
    if (!parts.submitter().isClosed()) {
      parts.submitter().halt(cause);
    }
  }

  /** The connection has returned. */
  void reconnected() {
    parts.submitter().reconnected();
    parts.follower().requestVerification();
  }

  /** Starts the thread that looks after snapshots; its user closes it before the store. */
  public Snapshots snapshots(Snapshots.Schedule schedule, Clock clock, LongSupplier nanoTime) {
    FeedStream stream = parts.stream();
    return new Snapshots(
        parts.bucket(),
        new SnapshotMaker(
            parts.bucket(), stream.id(), parts.messages(), folder(), parts.replica()::copy, clock),
        new StreamRemoval(parts.connection(), stream.name()),
        parts.messages(),
        parts.start(),
        stream.begin(),
        stream.id(),
        schedule,
        clock,
        nanoTime);
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    SqliteReplica.requireFewFacts(batch);
    return parts.submitter().submit(batch);
  }

  @Override
  public Optional<Endpoint> endpoint(EndpointName name) {
    return parts.replica().endpoint(name);
  }

  /** The position up to which this gateway's replica has applied the stream. */
  @Override
  public long position() {
    return parts.submitter().appliedPosition();
  }

  @Override
  public Path folder() {
    return parts.replica().store().folder();
  }

  @Override
  public AggregateStore aggregates() {
    return parts.replica().store().aggregates();
  }

  @Override
  public CompanionFiles companions() {
    return parts.replica().store().companions();
  }

  /** The superseded facts that stay in histories, in the replica. */
  @Override
  public OlderFacts olderFacts() {
    return parts.replica().store().olderFacts();
  }

  @Override
  public Counts counts() {
    return parts.replica().store().counts().plus(parts.submitter().counts());
  }

  @Override
  public int endpoints() {
    return parts.replica().store().endpoints();
  }

  @Override
  public Optional<Instant> newestTime() {
    return parts.replica().store().newestTime();
  }

  @Override
  public long octets() {
    return parts.replica().store().octets();
  }

  @Override
  public int waiting() {
    return parts.submitter().waiting();
  }

  @Override
  public boolean isFailing() {
    return cannotFollow() || parts.contact().isLost();
  }

  @Override
  public Optional<ClusterContact> contact() {
    return Optional.of(parts.contact().present(isFailing(), position()));
  }

  StreamContact.Replica replicaOfContact() {
    return new StreamContact.Replica() {
      @Override
      public boolean isFailing() {
        return cannotFollow();
      }

      @Override
      public long newest() {
        return Math.max(
            parts.submitter().appliedPosition(), parts.submitter().acknowledgedPosition());
      }

      @Override
      public void compare() {
        parts.follower().requestVerification();
      }
    };
  }

  private boolean cannotFollow() {
    return parts.submitter().halted() != null
        || parts.replica().store().isFailing()
        || parts.follower().isInterrupted()
        || parts.connection().getStatus() != Connection.Status.CONNECTED;
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
      parts.replica().close();
      close(parts.connection());
    }
  }

  /** Ends the threads. */
  void stop() {
    parts.contact().close();
    try {
      parts.submitter().close(GRACE_NANOS);
      parts.follower().close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while closing the store", e);
    }
  }

  static void close(Connection connection) {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
