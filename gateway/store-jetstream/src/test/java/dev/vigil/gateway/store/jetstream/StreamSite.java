package dev.vigil.gateway.store.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.snapshots.Snapshot;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotMaker;
import dev.vigil.gateway.store.jetstream.snapshots.StreamRemoval;
import dev.vigil.gateway.time.SystemTime;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import dev.vigil.store.contract.StoreTesting;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Gateways on one stream of the shared cluster. */
final class StreamSite implements AutoCloseable {
  final Path folder;
  final String stream;
  final Queue<RepairLog.Repaired> repairs = new ConcurrentLinkedQueue<>();
  final BlockingQueue<String> losses = new LinkedBlockingQueue<>();
  final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private final List<JetStreamStore> opened = new ArrayList<>();

  private final RepairLog log =
      new RepairLog() {
        @Override
        public void lost(String reason) {
          losses.add(reason);
        }

        @Override
        public void repaired(Repaired counts) {
          repairs.add(counts);
        }

        @Override
        public void ended(String reason) {
          ends.add(reason);
        }
      };

  StreamSite(Path folder) {
    this.folder = folder;
    this.stream = folder.getFileName().toString();
  }

  JetStreamStore open(String name) {
    return open(name, false);
  }

  JetStreamStore open(String name, boolean adopt) {
    ClusterOptions options =
        new ClusterOptions(
            NatsCluster.shared().urls(),
            stream,
            ClusterSecurity.NONE,
            ClusterOptions.MIN_REPLICAS,
            false,
            adopt,
            Duration.ofSeconds(10));
    JetStreamStore store =
        JetStreamStore.open(
            options,
            folder.resolve(name),
            NatsCluster.RANDOM,
            SystemTime.CLOCK,
            System::nanoTime,
            log);
    opened.add(store);
    return store;
  }

  static SnapshotMaker maker(JetStreamStore store, Clock clock) {
    JetStreamStore.Parts parts = store.parts();
    return new SnapshotMaker(
        parts.bucket(),
        parts.stream().id(),
        parts.messages(),
        store.folder(),
        parts.replica()::copy,
        clock);
  }

  static Snapshot snapshot(JetStreamStore store)
      throws IOException, JetStreamApiException, InterruptedException {
    // A repetition leaves at most an object that nothing names.
    return NatsCluster.answered(
        "no response waiting", () -> maker(store, Clock.systemUTC()).make());
  }

  /** Removes the messages before a position, without a window. */
  static void removeBefore(JetStreamStore store, long position)
      throws IOException, JetStreamApiException {
    JetStreamStore.Parts parts = store.parts();
    long first =
        new StreamRemoval(parts.connection(), parts.stream().name())
            .remove(
                rangeWith(parts.messages(), position),
                position,
                1,
                Duration.ofHours(-1),
                Instant.now());
    assertThat(first).isEqualTo(position);
  }

  /** A follower may deliver a message to the replica shortly before the leader says it has it. */
  private static StreamMessages.Range rangeWith(StreamMessages messages, long position)
      throws IOException, JetStreamApiException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    StreamMessages.Range range = messages.range();
    while (range.last() < position) {
      assertThat(System.nanoTime()).as("the leader has %d", position).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      range = messages.range();
    }
    return range;
  }

  long first() throws IOException, JetStreamApiException {
    return NatsCluster.shared()
        .run(management -> management.getStreamInfo(stream).getStreamState().getFirstSequence());
  }

  long last() throws IOException, JetStreamApiException {
    return NatsCluster.shared()
        .run(management -> management.getStreamInfo(stream).getStreamState().getLastSequence());
  }

  static void await(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** The state that clients can read of endpoints. */
  static List<Object> state(Store store, EndpointName... names) {
    List<Object> all = new ArrayList<>();
    for (EndpointName name : names) {
      all.add(store.endpoint(name));
      for (String slot : List.of("v", "old", "audit")) {
        all.add(StoreTesting.history(store, name, slot));
      }
    }
    return all;
  }

  @Override
  public void close() {
    opened.forEach(JetStreamStore::close);
  }
}
