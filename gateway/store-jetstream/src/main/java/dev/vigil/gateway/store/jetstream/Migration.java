package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.jetstream.messages.Election;
import dev.vigil.gateway.store.jetstream.messages.MessageHash;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.jetstream.snapshots.Snapshot;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotBucket;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotMaker;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotReader;
import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.gateway.store.sqlite.SnapshotFiles;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.gateway.store.sqlite.rows.StoredContent;
import dev.vigil.store.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Moves the data of a single gateway into a cluster, and back. An interrupted move is continued by
 * starting it again. Until a move into a cluster has succeeded, the data folder is as it was.
 */
public final class Migration {
  /** Between two questions whether a gateway still writes. */
  private static final long BETWEEN_MILLIS = 20;

  /** The database as it was before it moved into a cluster. */
  public static final String FORMER = SqliteFiles.DATABASE + ".before-cluster";

  private static final Duration ANSWER = Duration.ofSeconds(10);

  private final ClusterOptions options;
  private final SecureRandom random;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final Duration quiet;

  /**
   * @param quiet the time within which a running gateway writes something
   */
  public Migration(
      ClusterOptions options,
      SecureRandom random,
      Clock clock,
      LongSupplier nanoTime,
      Duration quiet) {
    this.options = options;
    this.random = random;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.quiet = quiet;
  }

  /**
   * The result, which both sides have.
   *
   * @param position of the newest change
   */
  public record Moved(long position, StoredContent content) {}

  /**
   * Moves the store in a data folder into a stream that does not exist. Then the folder holds a
   * replica.
   *
   * @throws StoreException when a gateway runs there, the stream has other data, or what the
   *     cluster has differs from the store
   */
  public Moved intoCluster(Path folder) {
    if (!SnapshotFiles.isSingle(folder)) {
      throw new StoreException(
          ReplicaFiles.head(folder) == null
              ? "there is no store with data in %s: name the data folder".formatted(folder)
              : "the data folder %s holds a replica of a cluster already: start it with --store"
                  .formatted(folder));
    }
    // Brings an older format up to date and deletes superseded rows.
    SqliteFiles.open(folder, nanoTime).close();
    Path file = folder.resolve(SqliteFiles.DATABASE);
    Connection connection = connect();
    try (SqliteFiles.Lock _ = SqliteFiles.lock(folder)) {
      StoredContent content = SnapshotFiles.content(file);
      long position = SnapshotFiles.position(file);
      FeedStream stream =
          FeedStream.openFor(
              connection,
              options,
              new Subjects(options.stream()),
              random,
              position,
              content.sha256());
      store(connection, stream, folder, position);
      Path copy = readAgain(connection, stream, folder, content);
      keep(file);
      SnapshotFiles.replace(folder, copy, stream.last());
      return new Moved(position, content);
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the data cannot be moved: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while data was moved", e);
    } finally {
      JetStreamStore.close(connection);
    }
  }

  private Connection connect() {
    return Cluster.connect(options, random, (_, _) -> {});
  }

  /** Stores the first snapshot, unless an earlier attempt has. */
  private void store(Connection connection, FeedStream stream, Path folder, long position)
      throws IOException, JetStreamApiException, InterruptedException {
    SnapshotBucket bucket = new SnapshotBucket(connection, stream.name(), options.replicas());
    if (Election.await(bucket::list).stream()
        .anyMatch(one -> one.stream().equals(stream.id()) && one.position() >= position)) {
      return;
    }
    Path copy = SnapshotFiles.file(folder, "migrated");
    SnapshotFiles.delete(copy);
    try {
      SqliteFiles.copy(folder, copy);
      byte[] hash = MessageHash.of(stream.id().getBytes(StandardCharsets.UTF_8));
      Head head = SnapshotFiles.join(copy, stream.id(), hash);
      StreamMessages messages = new StreamMessages(connection, stream.name(), ANSWER);
      SnapshotMaker maker =
          new SnapshotMaker(
              bucket,
              stream.id(),
              messages,
              folder,
              made -> SnapshotFiles.copy(folder, made),
              clock);
      Snapshot made = maker.describe(copy, head);
      // The bucket that this call creates has no leader for a moment.
      Election.await(
          () -> {
            maker.store(made, copy);
            return made;
          });
    } finally {
      SnapshotFiles.delete(copy);
    }
  }

  /** Reads what the cluster has, and compares it. */
  private Path readAgain(
      Connection connection, FeedStream stream, Path folder, StoredContent content)
      throws InterruptedException {
    SnapshotReader reader =
        new SnapshotReader(
            new SnapshotBucket(connection, stream.name(), options.replicas()),
            stream.id(),
            stream.range(),
            new StreamMessages(connection, stream.name(), ANSWER));
    Path copy = reader.read(folder);
    if (copy == null) {
      throw new StoreException(
          "the cluster does not return the data (%s): see the servers' logs, then try again"
              .formatted(String.join("; ", reader.faults())));
    }
    StoredContent read = SnapshotFiles.content(copy);
    if (!read.equals(content)) {
      SnapshotFiles.delete(copy);
      throw new StoreException(
          "the cluster has %s, but the folder has %s: gateways of the cluster have changed it; report this if there are none"
              .formatted(read, content));
    }
    return copy;
  }

  private static void keep(Path file) throws IOException {
    Path kept = file.resolveSibling(FORMER);
    Files.deleteIfExists(kept);
    Files.createLink(kept, file);
  }

  /**
   * Converts a cluster's data into the store of a single gateway. The folder is the data folder of
   * a gateway of the cluster, or has only a copy of its identity key.
   *
   * @throws StoreException when a gateway still writes, or the folder lacks the identity key
   */
  public Moved outOfCluster(Path folder) {
    Path identity = folder.resolve(Companion.IDENTITY.file());
    if (!Files.isRegularFile(identity, LinkOption.NOFOLLOW_LINKS)) {
      throw new StoreException(
          "%s is missing: copy it from the data folder of a gateway of the cluster, mode 0600"
              .formatted(identity));
    }
    requireStream();
    long position;
    try (JetStreamStore store = JetStreamStore.open(options, folder, random, nanoTime)) {
      position = store.position();
      long end = nanoTime.getAsLong() + quiet.toNanos();
      do {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
        if (store.parts().messages().range().last() != position) {
          throw new StoreException(
              "a gateway still writes to the stream %s: stop all gateways of the cluster"
                  .formatted(options.stream()));
        }
      } while (nanoTime.getAsLong() - end < 0);
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the cluster cannot be read: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while data was moved", e);
    }
    return new Moved(position, SnapshotFiles.leave(folder, List.of(Companion.IDENTITY)));
  }

  /** Opening a store would create the stream. */
  private void requireStream() {
    Connection connection = connect();
    try {
      new StreamMessages(connection, options.stream(), ANSWER).range();
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException(
          "the stream %s on %s cannot be read (%s): correct --from or --stream"
              .formatted(options.stream(), Cluster.names(options), e.getMessage()),
          e);
    } finally {
      JetStreamStore.close(connection);
    }
  }
}
