package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.contact.StreamContact;
import dev.vigil.gateway.store.jetstream.messages.StreamClient;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotBucket;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotReader;
import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.gateway.store.sqlite.SnapshotFiles;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.store.StoreException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a store: the connection, the stream, the replica, and its repair. */
final class StoreOpening {
  private static final Logger log = LoggerFactory.getLogger(StoreOpening.class);

  /** The replica must receive a message in this time. */
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long POLL_MILLIS = 5;

  /** The time for an answer of the stream's leader. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final ClusterOptions options;
  private final Path folder;
  private final SecureRandom random;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final RepairLog repairs;
  private final Subjects subjects;

  StoreOpening(
      ClusterOptions options,
      Path folder,
      SecureRandom random,
      Clock clock,
      LongSupplier nanoTime,
      RepairLog repairs) {
    this.options = options;
    this.folder = folder;
    this.random = random;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.repairs = repairs;
    this.subjects = new Subjects(options.stream());
  }

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
        opened.reconnected();
      } else if (event == Events.CLOSED && opened != null) {
        // The library reconnects by itself after any other failure.
        opened.refused(Cluster.refused(servers));
      }
    }

    @Override
    @Deprecated
    public void connectionEvent(Connection connection, Events event) {
      connectionEvent(connection, event, 0L, "");
    }
  }

  JetStreamStore open() {
    if (SnapshotFiles.isSingle(folder)) {
      throw new StoreException(
          "the data folder %s holds the store of a single gateway: give a new folder with --data-dir"
              .formatted(folder));
    }
    try {
      return connect();
    } catch (StoreException e) {
      if (!ReplicaFiles.isDamage(e)) {
        throw e;
      }
      String damage = ReplicaFiles.damage(e);
      log.warn(
          "the replica in {} is damaged ({}): it is moved aside and filled again", folder, damage);
      ReplicaFiles.moveAside(folder);
      repairs.lost("the replica is damaged (%s)".formatted(damage));
      return connect();
    }
  }

  private JetStreamStore connect() {
    Reconnections reconnections = new Reconnections(Cluster.names(options));
    Connection connection = Cluster.connect(options, random, reconnections);
    try {
      FeedStream stream =
          FeedStream.open(connection, options, subjects, random, ReplicaFiles.head(folder));
      StreamContact contact =
          StreamContact.begin(connection, stream.name(), options.allowWeak(), clock, nanoTime);
      StreamMessages messages = new StreamMessages(connection, stream.name(), ANSWER);
      SnapshotBucket bucket = new SnapshotBucket(connection, stream.name(), options.replicas());
      SnapshotReader snapshots = new SnapshotReader(bucket, stream.id(), stream.range(), messages);
      String fault = new ReplicaCheck(messages, stream, snapshots).prepare(folder, options.adopt());
      if (fault != null) {
        repairs.lost(fault);
      }
      Head head = ReplicaFiles.head(folder);
      SqliteReplica replica = SqliteReplica.open(folder, stream.id(), stream.last(), nanoTime);
      try {
        return open(connection, stream, contact, messages, bucket, replica, head, reconnections);
      } catch (RuntimeException e) {
        replica.close();
        throw e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      JetStreamStore.close(connection);
      throw new StoreException("interrupted while the replica was checked", e);
    } catch (RuntimeException e) {
      JetStreamStore.close(connection);
      throw e;
    }
  }

  private JetStreamStore open(
      Connection connection,
      FeedStream stream,
      StreamContact contact,
      StreamMessages messages,
      SnapshotBucket bucket,
      SqliteReplica replica,
      @Nullable Head head,
      Reconnections reconnections) {
    StreamClient client = new StreamClient(connection, stream.name());
    StreamStart start = new StreamStart(stream.first());
    SubmitterThread submitter =
        new SubmitterThread(
            client,
            replica,
            subjects,
            start,
            Math.max(replica.position(), stream.begin() - 1),
            random.nextLong(),
            this::suspect,
            repairs::ended,
            nanoTime,
            options.patience().toNanos());
    byte[] newest = head == null ? new byte[0] : head.hash();
    LogFollower follower =
        new LogFollower(connection, stream, start, replica, subjects, submitter, newest, nanoTime);
    JetStreamStore store =
        new JetStreamStore(
            new JetStreamStore.Parts(
                connection,
                stream,
                start,
                messages,
                bucket,
                replica,
                submitter,
                follower,
                contact));
    reconnections.store = store;
    replica.damage().thenAccept(damage -> submitter.lose(damaged(damage)));
    Repair repair =
        new Repair(
            client,
            messages,
            replica,
            subjects,
            submitter,
            stream,
            start,
            random.nextLong(),
            nanoTime);
    try {
      submitter.start();
      follower.start();
      contact.start(store.replicaOfContact());
      awaitFilled(submitter, stream.range().isEmpty() ? 0 : stream.last());
      repair.runAll(folder, repairs);
      return store;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      store.stop();
      throw new StoreException("interrupted while the replica was filled", e);
    } catch (RuntimeException e) {
      store.stop();
      throw e;
    }
  }

  private StoreException damaged(StoreException damage) {
    return new StoreException(
        "the replica in %s is damaged (%s): restart this gateway, which then fills it again"
            .formatted(folder, ReplicaFiles.damage(damage)),
        damage);
  }

  private void suspect(String reason) {
    ReplicaFiles.suspect(folder, reason);
    repairs.lost(reason);
  }

  private void awaitFilled(SubmitterThread submitter, long last) throws InterruptedException {
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
  }
}
