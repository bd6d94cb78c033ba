package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.messages.ApiCode;
import dev.vigil.gateway.store.jetstream.messages.Election;
import dev.vigil.gateway.store.jetstream.messages.LeaderAnswer;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages.Range;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.store.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The stream that holds the batches of all gateways: created if it is missing, and checked for
 * settings under which the cluster would lose an acknowledged batch.
 *
 * @param id of the cluster's feed, made with the stream
 * @param begin the position at which a replica without a snapshot may begin. If the oldest message
 *     has a later position, messages were removed
 * @param range of its messages when it was opened
 */
record FeedStream(String name, String id, long begin, Range range) {
  /** The oldest servers whose compare-and-set our tests cover. */
  static final String MIN_VERSION = "2.15.0";

  private static final String FORMAT_KEY = "vigil.format";
  private static final String ID_KEY = "vigil.id";
  private static final String BEGIN_KEY = "vigil.begin";
  private static final String CONTENT_KEY = "vigil.content";
  private static final String FORMAT = "1";
  private static final int ID_OCTETS = 16;

  /**
   * The maximum number of questions, and the time between them, until the servers report a stream
   * that another gateway has created.
   */
  private static final int QUESTIONS = 100;

  private static final Duration BETWEEN = Duration.ofMillis(100);

  /** Ids of messages are not used, so the servers need not remember them. */
  private static final Duration NO_DUPLICATES = Duration.ofMillis(100);

  /** Position of the oldest message; one after the newest if there is none. */
  long first() {
    return range.first();
  }

  /** Position of the newest message. */
  long last() {
    return range.last();
  }

  /**
   * @param former the replica that the folder has, if any. A new stream begins after it, so that
   *     the ids of endpoints that come from a lost stream are not given again
   * @throws StoreException when the stream cannot be created or must not be used
   */
  static FeedStream open(
      Connection connection,
      ClusterOptions options,
      Subjects subjects,
      RandomGenerator random,
      @Nullable Head former)
      throws InterruptedException {
    return with(
        connection,
        options,
        management -> {
          StreamInfo found = find(management, options.stream());
          if (found != null) {
            return check(found, options, subjects);
          }
          if (former != null && !options.adopt()) {
            throw refused(
                options,
                "does not exist, but the data folder holds a replica of the cluster "
                    + former.log(),
                "correct --store or vigil.cluster.stream; if the servers lost the stream, start the gateway that lost its connection last with vigil.cluster.adopt");
          }
          long begin = former == null ? 1 : former.position() + 1;
          Map<String, String> begins = Map.of(BEGIN_KEY, Long.toString(begin));
          return check(
              create(management, options, subjects, random, begin, begins), options, subjects);
        });
  }

  /**
   * Opens the stream that continues the store of a single gateway, or creates it. A replica of it
   * begins with a snapshot.
   *
   * @param position of the store's newest change
   * @param content hash of what the store holds
   */
  static FeedStream openFor(
      Connection connection,
      ClusterOptions options,
      Subjects subjects,
      RandomGenerator random,
      long position,
      String content)
      throws InterruptedException {
    return with(
        connection,
        options,
        management -> {
          StreamInfo found = find(management, options.stream());
          StreamInfo info =
              found != null
                  ? found
                  : create(
                      management,
                      options,
                      subjects,
                      random,
                      position + 1,
                      Map.of(CONTENT_KEY, content));
          if (!content.equals(info.getConfiguration().getMetadata().get(CONTENT_KEY))) {
            throw refused(
                options,
                "exists already, with other data",
                "give another name with --stream, or delete it if nobody needs it");
          }
          return check(info, options, subjects);
        });
  }

  @FunctionalInterface
  private interface Opening {
    FeedStream open(JetStreamManagement management) throws IOException, JetStreamApiException;
  }

  private static FeedStream with(Connection connection, ClusterOptions options, Opening opening)
      throws InterruptedException {
    String version = connection.getServerInfo().getVersion();
    if (!options.allowWeak() && connection.getServerInfo().isOlderThanVersion(MIN_VERSION)) {
      throw new StoreException(
          "the NATS server %s is too old: upgrade the servers to %s or newer, or allow a weak store for a trial"
              .formatted(version, MIN_VERSION));
    }
    try {
      JetStreamManagement management = connection.jetStreamManagement();
      return connection.getServerInfo().isJetStreamAvailable()
          ? Election.await(() -> opening.open(management))
          : opening.open(management);
    } catch (JetStreamApiException e) {
      throw new StoreException(
          "the NATS servers cannot open the stream %s with %d replicas (%s): give JetStream three servers and disk, or allow a weak store for a trial"
              .formatted(options.stream(), options.replicas(), e.getErrorDescription()),
          e);
    } catch (IOException e) {
      throw new StoreException(
          "JetStream does not answer on %s (%s): enable it, and start a majority of the servers"
              .formatted(Cluster.names(options), e.getMessage()),
          e);
    }
  }

  private static @Nullable StreamInfo find(JetStreamManagement management, String name)
      throws IOException, JetStreamApiException {
    try {
      return LeaderAnswer.ask(management, name);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == ApiCode.NO_STREAM) {
        return null;
      }
      throw e;
    }
  }

  private static StreamInfo create(
      JetStreamManagement management,
      ClusterOptions options,
      Subjects subjects,
      RandomGenerator random,
      long first,
      Map<String, String> more)
      throws IOException, JetStreamApiException {
    Map<String, String> metadata = new HashMap<>(more);
    metadata.put(FORMAT_KEY, FORMAT);
    metadata.put(ID_KEY, id(random));
    StreamConfiguration configuration =
        StreamConfiguration.builder()
            .name(options.stream())
            .description("Vigil: the changes of all endpoints")
            .subjects(subjects.all())
            .retentionPolicy(RetentionPolicy.Limits)
            .discardPolicy(DiscardPolicy.New)
            .storageType(StorageType.File)
            .replicas(options.replicas())
            .duplicateWindow(NO_DUPLICATES)
            .allowDirect(false)
            .denyDelete(true)
            .firstSequence(first)
            .metadata(metadata)
            .build();
    try {
      management.addStream(configuration);
      return LeaderAnswer.ask(management, options.stream());
    } catch (JetStreamApiException e) {
      StreamInfo made =
          e.getApiErrorCode() == ApiCode.STREAM_EXISTS ? madeByAnother(management, options) : null;
      if (made == null) {
        throw e;
      }
      return made;
    }
  }

  /**
   * The stream that another gateway created first; the servers may need a moment until they report
   * it.
   */
  private static @Nullable StreamInfo madeByAnother(
      JetStreamManagement management, ClusterOptions options)
      throws IOException, JetStreamApiException {
    StreamInfo made = find(management, options.stream());
    for (int asked = 1; made == null && asked < QUESTIONS; asked++) {
      LockSupport.parkNanos(BETWEEN.toNanos());
      made = find(management, options.stream());
    }
    return made;
  }

  private static String id(RandomGenerator random) {
    byte[] octets = new byte[ID_OCTETS];
    random.nextBytes(octets);
    return HexFormat.of().formatHex(octets);
  }

  private static FeedStream check(StreamInfo info, ClusterOptions options, Subjects subjects) {
    StreamConfiguration found = info.getConfiguration();
    Map<String, String> metadata = found.getMetadata();
    String id = metadata.get(ID_KEY);
    if (id == null || !found.getSubjects().equals(List.of(subjects.all()))) {
      throw refused(options, "was not made by Vigil", "give another name in vigil.cluster.stream");
    }
    if (!FORMAT.equals(metadata.get(FORMAT_KEY))) {
      throw refused(options, "has format " + metadata.get(FORMAT_KEY), "upgrade this gateway");
    }
    String limit = limit(found);
    if (limit != null) {
      throw refused(options, "drops data by its " + limit, "remove that limit from the stream");
    }
    boolean weak =
        found.getReplicas() < ClusterOptions.MIN_REPLICAS
            || found.getStorageType() != StorageType.File;
    if (weak && !options.allowWeak()) {
      throw refused(
          options,
          "has %d replicas in %s storage".formatted(found.getReplicas(), found.getStorageType()),
          "give it three in file storage, or allow a weak store for a trial");
    }
    return new FeedStream(options.stream(), id, begin(metadata.get(BEGIN_KEY)), Range.of(info));
  }

  private static long begin(@Nullable String text) {
    try {
      return text == null ? 1 : Math.max(1, Long.parseLong(text));
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  /** The setting by which a stream would drop messages or refuse good ones. */
  private static @Nullable String limit(StreamConfiguration found) {
    if (found.getRetentionPolicy() != RetentionPolicy.Limits) {
      return "retention " + found.getRetentionPolicy();
    }
    if (found.getMaxMsgs() > 0) {
      return "max_msgs";
    }
    if (found.getMaxBytes() > 0) {
      return "max_bytes";
    }
    if (found.getMaxMsgsPerSubject() > 0) {
      return "max_msgs_per_subject";
    }
    if (!found.getMaxAge().isZero()) {
      return "max_age";
    }
    if (found.getNoAck()) {
      return "no_ack";
    }
    return found.getSealed() ? "seal" : found.getMirror() == null ? null : "mirror";
  }

  private static StoreException refused(ClusterOptions options, String fault, String remedy) {
    return new StoreException(
        "the stream %s on %s %s: %s"
            .formatted(options.stream(), Cluster.names(options), fault, remedy));
  }
}
