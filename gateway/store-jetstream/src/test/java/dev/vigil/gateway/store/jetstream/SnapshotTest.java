package dev.vigil.gateway.store.jetstream;

import static dev.vigil.gateway.store.jetstream.StreamSite.removeBefore;
import static dev.vigil.gateway.store.jetstream.StreamSite.snapshot;
import static dev.vigil.gateway.store.jetstream.StreamSite.state;
import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.jetstream.messages.StreamMessages.Range;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.jetstream.snapshots.Snapshot;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotBucket;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotReader;
import dev.vigil.gateway.store.jetstream.snapshots.Snapshots;
import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import io.nats.client.JetStreamApiException;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ObjectMeta;
import io.nats.client.api.StreamInfoOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway begins with a snapshot where the stream no longer has the beginning. */
@NeedsNatsServer
class SnapshotTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final EndpointName OTHER = mote("mote-2");
  private static final EndpointName RECORDS = mote(".records/token");

  @TempDir Path folder = Path.of("");
  private StreamSite site = new StreamSite(Path.of("none"));

  @BeforeEach
  void begin() {
    site = new StreamSite(folder);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static List<Object> all(Store store) {
    return state(store, MOTE, OTHER, RECORDS);
  }

  /** Ten messages. */
  private static void fill(Store store, long from) {
    committed(store, plain(RECORDS, fact("v", 1, "valid")));
    for (long i = from; i < from + 4; i++) {
      committed(store, numbered(MOTE, i, fact("v", 1, "m" + i), lasting("old", 4, "m" + i)));
      committed(store, numbered(OTHER, i, fact("v", 1, "o" + i)));
    }
    committed(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "a" + from)));
  }

  @Test
  void anEmptyFolderBeginsWithASnapshotAndReadsTheRest() throws Exception {
    JetStreamStore a = site.open("a");
    fill(a, 1);
    fill(a, 11);
    Snapshot made = snapshot(a);
    assertThat(made.position()).isEqualTo(20);
    fill(a, 21);
    removeBefore(a, 20);
    JetStreamStore fresh = site.open("new");
    assertThat(fresh.position()).isEqualTo(30);
    assertThat(all(fresh)).isEqualTo(all(a));
    assertThat(outcome(fresh, numbered(MOTE, 24, fact("v", 1, "replayed"))))
        .isEqualTo(new SubmitResult.SequenceUsed(24));
    committed(fresh, numbered(MOTE, 25, fact("v", 1, "m25")));
    TwoStoresTest.reach(a, 31);
    fresh.close();
    assertThat(all(site.open("new"))).isEqualTo(all(a));
    assertThat(folder.resolve("new").resolve("vigil.db.snapshot-read")).doesNotExist();
  }

  @Test
  void damagedSnapshotsFallBackToAnOlderOneAndThenNameTheRemedy() throws Exception {
    JetStreamStore a = site.open("a");
    fill(a, 1);
    Snapshot good = snapshot(a);
    fill(a, 11);
    Snapshot incomplete = snapshot(a);
    fill(a, 21);
    Snapshot other = snapshot(a);
    removeBefore(a, 10);
    SnapshotBucket bucket = a.parts().bucket();
    damage(other.name(), "nothing of this kind");
    loseChunks(incomplete.name());
    assertThat(bucket.list()).hasSize(3);
    assertThat(all(site.open("new"))).isEqualTo(all(a));
    removeBefore(a, 20);
    assertThatThrownBy(() -> site.open("none"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("begins at position 20, and no snapshot can be used")
        .hasMessageContaining("position 30: ")
        .hasMessageContaining("position %d: the stream begins at 20".formatted(good.position()))
        .hasMessageContaining("start a gateway that has a replica");
  }

  /** Puts other content in the place of an object, under the digest of that content. */
  private void damage(String name, String content) throws Exception {
    NatsCluster.shared()
        .run(
            management -> {
              try {
                var objects = management.objectStore(site.stream + "-snapshots");
                var meta =
                    ObjectMeta.builder(name).metadata(objects.getInfo(name).getMetaData()).build();
                return objects.put(
                    meta, new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)));
              } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private void loseChunks(String name) throws Exception {
    NatsCluster.shared()
        .run(
            management -> {
              String bucket = site.stream + "-snapshots";
              String chunks = management.objectStore(bucket).getInfo(name).getNuid();
              return management.purgeStream(
                  "OBJ_" + bucket, PurgeOptions.subject("$O." + bucket + ".C." + chunks));
            });
  }

  @Test
  void aReplicaThatIsBehindBeginsWithASnapshotAndStoresNothingAgain() throws Exception {
    JetStreamStore a = site.open("a");
    JetStreamStore b = site.open("b");
    fill(a, 1);
    TwoStoresTest.reach(b, 10);
    b.close();
    committed(a, plain(RECORDS, Fact.none("v")));
    fill(a, 11);
    committed(a, plain(RECORDS, Fact.none("v")));
    fill(a, 21);
    committed(a, plain(RECORDS, Fact.none("v")));
    long last = a.position();
    snapshot(a);
    removeBefore(a, last);
    JetStreamStore back = site.open("b");
    assertThat(all(back)).isEqualTo(all(a));
    assertThat(history(back, RECORDS, "v")).as("what was removed stays removed").isEmpty();
    assertThat(site.losses).singleElement().asString().contains("begins at position " + last);
    assertThat(site.repairs).containsExactly(new RepairLog.Repaired(0, 0, 0, false));
    assertThat(site.last()).isEqualTo(last);
    assertThat(ReplicaFiles.setAside(folder.resolve("b"))).isEmpty();
    assertThat(folder.resolve("b").resolve("vigil.db.lost-1.kept")).doesNotExist();
    committed(back, numbered(MOTE, 25, fact("v", 1, "m25")));
  }

  @Test
  void aReplicaBehindTheStreamStaysAsItIsWithoutASnapshot() throws Exception {
    JetStreamStore a = site.open("a");
    JetStreamStore b = site.open("b");
    fill(a, 1);
    TwoStoresTest.reach(b, 10);
    b.close();
    fill(a, 11);
    removeBefore(a, 20);
    assertThatThrownBy(() -> site.open("b")).hasMessageContaining("(there is none)");
    assertThat(ReplicaFiles.head(folder.resolve("b")))
        .satisfies(head -> assertThat(head.position()).isEqualTo(10));
    snapshot(a);
    assertThat(all(site.open("b"))).isEqualTo(all(a));
  }

  @Test
  void aChangeThatOnlyAReplicaBehindTheStreamHasIsStoredAgain() throws Exception {
    JetStreamStore a = site.open("a");
    JetStreamStore b = site.open("b");
    fill(a, 1);
    TwoStoresTest.reach(b, 10);
    a.close();
    // The servers lose the end that only this replica has, and go on without it.
    committed(b, numbered(MOTE, 7, fact("v", 1, "m7")));
    committed(b, numbered(mote("late"), 3, fact("v", 1, "late")));
    b.close();
    LostEnd.cut(site.stream, 10);
    a = site.open("a");
    fill(a, 11);
    fill(a, 21);
    Snapshot made = snapshot(a);
    removeBefore(a, made.position());
    JetStreamStore back = site.open("b");
    assertThat(history(back, mote("late"), "v")).containsExactly("late");
    assertThat(back.endpoint(mote("late")).orElseThrow().high()).isEqualTo(3);
    assertThat(history(back, MOTE, "v")).containsExactly("m24");
    assertThat(back.endpoint(MOTE).orElseThrow().high()).isEqualTo(24);
    TwoStoresTest.reach(a, back.parts().replica().position());
    assertThat(state(a, MOTE, OTHER, mote("late")))
        .isEqualTo(state(back, MOTE, OTHER, mote("late")));
  }

  @Test
  void aGatewayThatFallsBehindWhileItRunsAsksForARestart() throws Exception {
    JetStreamStore a = site.open("a");
    JetStreamStore b = site.open("b");
    fill(a, 1);
    TwoStoresTest.reach(b, 10);
    b.parts().follower().close();
    fill(a, 11);
    snapshot(a);
    removeBefore(a, 20);
    JetStreamStore.Parts parts = b.parts();
    new LogFollower(
            parts.connection(),
            parts.stream(),
            parts.start(),
            parts.replica(),
            new Subjects(site.stream),
            parts.submitter(),
            new byte[0],
            System::nanoTime)
        .start();
    assertThat(site.losses.poll(60, TimeUnit.SECONDS))
        .contains("begins at position 20, after this replica at 10");
    assertThat(b.isFailing()).isTrue();
    b.close();
    assertThat(all(site.open("b"))).isEqualTo(all(a));
  }

  @Test
  void snapshotsAreMadeAfterANumberOfMessagesAndTheOlderOnesRemoved() throws Exception {
    JetStreamStore a = site.open("a");
    Snapshots.Schedule schedule =
        new Snapshots.Schedule(Duration.ofMillis(200), 5, 3, Duration.ofMillis(1));
    SnapshotBucket bucket = new SnapshotBucket(a.parts().connection(), site.stream, 3);
    try (Snapshots snapshots = a.snapshots(schedule, Clock.systemUTC(), System::nanoTime)) {
      fill(a, 1);
      assertThat(bucket.list()).as("another gateway has the duties").isEmpty();
      snapshots.begin();
      for (int round = 1; round <= 3; round++) {
        awaitSnapshot(snapshots, a.position());
        fill(a, 10L * round + 1);
      }
      StreamSite.await("removal", () -> snapshots.status().first() >= 20);
      StreamSite.await("status", () -> snapshots.status().failed() == 0);
      assertThat(bucket.list()).hasSizeBetween(2, 3);
    }
    assertThat(site.first()).isBetween(20L, 38L);
    assertThat(Files.list(folder.resolve("a")).map(file -> file.getFileName().toString()))
        .noneMatch(name -> name.contains("snapshot"));
    assertThat(all(site.open("new"))).isEqualTo(all(a));
  }

  /** Another gateway stores a snapshot while this one is between both questions. */
  @Test
  void aSnapshotOfMessagesThatCameAfterTheOpeningIsUsed() throws Exception {
    JetStreamStore a = site.open("a");
    fill(a, 1);
    JetStreamStore.Parts parts = a.parts();
    Range opened = parts.messages().range();
    fill(a, 11);
    assertThat(snapshot(a).position()).isGreaterThan(opened.last());
    SnapshotReader reader =
        new SnapshotReader(parts.bucket(), parts.stream().id(), opened, parts.messages());
    assertThat(reader.read(folder.resolve("late"))).isNotNull();
    assertThat(reader.faults()).isEmpty();
  }

  @Test
  void aSnapshotOfMessagesThatTheServersLostCountsForNothing() throws Exception {
    JetStreamStore a = site.open("a");
    fill(a, 1);
    String lost = copyAtPosition(snapshot(a), 1000);
    Snapshots.Schedule schedule =
        new Snapshots.Schedule(Duration.ofMillis(200), 5, 3, Duration.ofMillis(1));
    SnapshotBucket bucket = a.parts().bucket();
    StreamSite.await("both are listed", () -> names(bucket).size() == 2);
    assertThat(names(bucket)).contains(lost);
    try (Snapshots snapshots = a.snapshots(schedule, Clock.systemUTC(), System::nanoTime)) {
      snapshots.begin();
      fill(a, 11);
      StreamSite.await("removal", () -> snapshots.status().first() > 1);
      awaitSnapshot(snapshots, 20);
      // The last snapshot is listed before the older ones are removed.
      StreamSite.await("two remain", () -> names(bucket).size() == 2);
    }
    assertThat(names(bucket)).doesNotContain(lost).hasSize(2);
  }

  /** Waits for a snapshot of this or a later position. */
  private static void awaitSnapshot(Snapshots snapshots, long position) {
    StreamSite.await(
        "a snapshot of " + position,
        () -> {
          Snapshot newest = snapshots.status().newest();
          return newest != null && newest.position() >= position;
        });
  }

  private static List<String> names(SnapshotBucket bucket) {
    try {
      return bucket.list().stream().map(Snapshot::name).toList();
    } catch (IOException | JetStreamApiException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String copyAtPosition(Snapshot snapshot, long position) throws Exception {
    String name = snapshot.name();
    String copy = name.replace("%020d".formatted(snapshot.position()), "%020d".formatted(position));
    return NatsCluster.shared()
        .run(
            management -> {
              try {
                var objects = management.objectStore(site.stream + "-snapshots");
                Map<String, String> metadata = new HashMap<>(objects.getInfo(name).getMetaData());
                metadata.put("vigil.position", Long.toString(position));
                objects.put(
                    ObjectMeta.builder(copy).metadata(metadata).build(),
                    new ByteArrayInputStream(new byte[10]));
                return copy;
              } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @Test
  void chunksOfASnapshotThatNobodyFinishesAreRemoved() throws Exception {
    JetStreamStore a = site.open("a");
    fill(a, 1);
    snapshot(a);
    String bucket = site.stream + "-snapshots";
    NatsCluster.shared()
        .run(
            management -> {
              management.jetStream().publish("$O." + bucket + ".C.orphan", new byte[] {1});
              return true;
            });
    fill(a, 11);
    snapshot(a);
    assertThat(chunks(bucket)).as("another gateway may still add to it").hasSize(3);
    fill(a, 21);
    StreamSite.maker(a, Clock.offset(Clock.systemUTC(), Duration.ofHours(2))).make();
    assertThat(chunks(bucket)).hasSize(3).noneMatch(subject -> subject.endsWith(".orphan"));
  }

  private static List<String> chunks(String bucket) throws Exception {
    return NatsCluster.shared()
        .run(
            management ->
                management
                    .getStreamInfo("OBJ_" + bucket, StreamInfoOptions.allSubjects())
                    .getStreamState()
                    .getSubjectMap()
                    .keySet()
                    .stream()
                    .filter(subject -> subject.contains(".C."))
                    .toList());
  }
}
