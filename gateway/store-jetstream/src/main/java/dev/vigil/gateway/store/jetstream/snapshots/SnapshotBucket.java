package dev.vigil.gateway.store.jetstream.snapshots;

import dev.vigil.gateway.store.jetstream.messages.ApiCode;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.ObjectStore;
import io.nats.client.ObjectStoreOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ObjectInfo;
import io.nats.client.api.ObjectMeta;
import io.nats.client.api.ObjectStoreConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The bucket of the object store that holds the snapshots of a stream. The client library compares
 * the digest of each object that it reads, in chunks. Used by one thread at a time.
 */
public final class SnapshotBucket {
  /** The servers may be busy with a snapshot of another stream. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private final Connection connection;
  private final String bucket;
  private final int replicas;

  /**
   * @param stream name of the stream
   * @param replicas copies of the bucket when it is created
   */
  public SnapshotBucket(Connection connection, String stream, int replicas) {
    this.connection = connection;
    this.bucket = stream + "-snapshots";
    this.replicas = replicas;
  }

  public String name() {
    return bucket;
  }

  private ObjectStore objects() throws IOException {
    return connection.objectStore(
        bucket, ObjectStoreOptions.builder().jsRequestTimeout(ANSWER).build());
  }

  private JetStreamManagement management() throws IOException {
    return connection.jetStreamManagement(
        JetStreamOptions.builder().requestTimeout(ANSWER).build());
  }

  /** The snapshots, newest first. */
  public List<Snapshot> list() throws IOException, JetStreamApiException, InterruptedException {
    return objectInfos().stream()
        .map(Snapshot::of)
        .flatMap(Optional::stream)
        .sorted(Comparator.comparingLong(Snapshot::position).reversed())
        .toList();
  }

  private List<ObjectInfo> objectInfos()
      throws IOException, JetStreamApiException, InterruptedException {
    try {
      return objects().getList();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == ApiCode.NO_STREAM) {
        return List.of();
      }
      throw e;
    }
  }

  /** Creates the bucket if it is missing. */
  void create() throws IOException, JetStreamApiException {
    try {
      objects().getStatus();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != ApiCode.NO_STREAM) {
        throw e;
      }
      connection
          .objectStoreManagement(ObjectStoreOptions.builder().jsRequestTimeout(ANSWER).build())
          .create(
              ObjectStoreConfiguration.builder(bucket)
                  .description("Vigil: snapshots of replicas")
                  .storageType(StorageType.File)
                  .replicas(replicas)
                  .build());
    }
  }

  /**
   * Stores a snapshot.
   *
   * @param compressed its content, which is read in chunks and closed
   * @return the octets of the object
   */
  long put(Snapshot snapshot, InputStream compressed) throws IOException, JetStreamApiException {
    try {
      ObjectMeta meta = ObjectMeta.builder(snapshot.name()).metadata(snapshot.metadata()).build();
      return objects().put(meta, compressed).getSize();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads the compressed content of a snapshot.
   *
   * @throws IOException when the object is incomplete, its digest differs, or nobody answers
   */
  void get(Snapshot snapshot, OutputStream out)
      throws IOException, JetStreamApiException, InterruptedException {
    try {
      objects().get(snapshot.name(), out);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    } catch (IllegalStateException | IllegalArgumentException e) {
      // This is how the library reports missing chunks and a wrong digest.
      throw new IOException("the object is damaged: " + e.getMessage(), e);
    }
  }

  /** Removes a snapshot with everything that the servers know about it. */
  void delete(Snapshot snapshot) throws IOException, JetStreamApiException {
    objects().delete(snapshot.name());
    String name =
        Base64.getEncoder().encodeToString(snapshot.name().getBytes(StandardCharsets.UTF_8));
    management().purgeStream(backing(), PurgeOptions.subject("$O.%s.M.%s".formatted(bucket, name)));
  }

  private String backing() {
    return "OBJ_" + bucket;
  }

  /**
   * Removes the chunks of objects that a gateway began to store and did not finish.
   *
   * @param before newer chunks stay, because a gateway may still add to them
   */
  void removeUnfinished(Instant before)
      throws IOException, JetStreamApiException, InterruptedException {
    Set<String> finished =
        objectInfos().stream().map(this::chunks).collect(Collectors.toUnmodifiableSet());
    JetStreamManagement management = management();
    StreamInfo info =
        management.getStreamInfo(
            backing(), StreamInfoOptions.filterSubjects("$O.%s.C.>".formatted(bucket)));
    List<Subject> present =
        Objects.requireNonNullElse(info.getStreamState().getSubjects(), List.of());
    for (Subject subject : present) {
      String name = subject.getName();
      if (!finished.contains(name)
          && management.getLastMessage(backing(), name).getTime().toInstant().isBefore(before)) {
        management.purgeStream(backing(), PurgeOptions.subject(name));
      }
    }
  }

  private String chunks(ObjectInfo object) {
    return "$O.%s.C.%s".formatted(bucket, object.getNuid());
  }
}
