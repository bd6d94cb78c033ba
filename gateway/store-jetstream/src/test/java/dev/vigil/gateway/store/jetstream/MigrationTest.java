package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.jetstream.Migration.Moved;
import dev.vigil.gateway.store.sqlite.SnapshotFiles;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data of a single gateway moves into a cluster and back. */
@NeedsNatsServer
class MigrationTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final EndpointName RECORDS = mote(".records/token");

  @TempDir Path folder = Path.of("");
  private StreamSite site = new StreamSite(Path.of("none"));
  private Path data = Path.of("");

  @BeforeEach
  void fill() throws IOException {
    site = new StreamSite(folder);
    data = folder.resolve("a");
    try (SqliteStore store = SqliteStore.open(data, System::nanoTime)) {
      for (int i = 1; i <= 20; i++) {
        committed(store, numbered(MOTE, i, fact("v", 1, "m" + i), lasting("old", 4, "m" + i)));
        committed(store, plain(RECORDS, fact("v", 1, "r" + i)));
      }
      committed(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "a")));
      Files.writeString(data.resolve(Companion.IDENTITY.file()), "a key");
      store.companions().made(Companion.IDENTITY);
    }
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Migration migration() {
    return migration(Duration.ofMillis(50));
  }

  private Migration migration(Duration quiet) {
    return new Migration(
        NatsCluster.shared().options(site.stream),
        NatsCluster.RANDOM,
        Clock.systemUTC(),
        System::nanoTime,
        quiet);
  }

  private static List<Object> state(Store store) {
    return StreamSite.state(store, MOTE, RECORDS);
  }

  private List<Object> single() {
    try (SqliteStore store = SqliteStore.open(data, System::nanoTime)) {
      return state(store);
    }
  }

  @Test
  void theDataMovesIntoAClusterAndBackOut() throws Exception {
    List<Object> before = single();
    Moved moved = migration().intoCluster(data);
    assertThat(moved.position()).isEqualTo(41);
    assertThat(moved.content().endpoints()).isEqualTo(2);
    JetStreamStore a = site.open("a");
    assertThat(state(a)).isEqualTo(before);
    a.close();
    a = site.open("a");
    assertThat(site.losses).as("nothing is lost before the first message").isEmpty();
    JetStreamStore b = site.open("b");
    assertThat(state(b)).isEqualTo(before);
    assertThat(outcome(b, numbered(MOTE, 20, fact("v", 1, "replayed"))))
        .isEqualTo(new SubmitResult.SequenceUsed(20));
    committed(b, numbered(MOTE, 21, fact("v", 1, "m21"), lasting("old", 4, "m21")));
    assertThat(committed(b, numbered(mote("new"), 1, fact("v", 1, "x"))).position()).isEqualTo(43);
    TwoStoresTest.reach(a, 43);
    List<Object> after = state(a);
    assertThat(b.folder().resolve(Companion.IDENTITY.file())).doesNotExist();
    a.close();
    b.close();
    assertThat(migration().outOfCluster(data).position()).isEqualTo(43);
    assertThat(single()).isEqualTo(after);
    try (SqliteStore store = SqliteStore.open(data, System::nanoTime)) {
      store.companions().require(Companion.IDENTITY);
      assertThat(outcome(store, numbered(MOTE, 21, fact("v", 1, "replayed"))))
          .isEqualTo(new SubmitResult.SequenceUsed(21));
      assertThat(committed(store, numbered(MOTE, 22, fact("v", 1, "m22"))).position())
          .isEqualTo(44);
    }
  }

  @Test
  void anEmptyFolderTakesTheDataOfAClusterBesideTheIdentityKey() throws Exception {
    List<Object> before = single();
    migration().intoCluster(data);
    Path fresh = Files.createDirectory(folder.resolve("fresh"));
    assertThatThrownBy(() -> migration().outOfCluster(fresh))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("identity.jwk is missing: copy it");
    Files.writeString(fresh.resolve(Companion.IDENTITY.file()), "a key");
    migration().outOfCluster(fresh);
    data = fresh;
    assertThat(single()).isEqualTo(before);
  }

  @Test
  void aClusterWhoseGatewaysStillWriteDoesNotMove() throws Exception {
    migration().intoCluster(data);
    Path fresh = Files.createDirectory(folder.resolve("fresh"));
    Files.writeString(fresh.resolve(Companion.IDENTITY.file()), "a key");
    JetStreamStore a = site.open("a");
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              while (!done.get()) {
                committed(a, plain(RECORDS, fact("v", 1, "beat")));
              }
            });
    assertThatThrownBy(() -> migration(Duration.ofSeconds(60)).outOfCluster(fresh))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("still writes to the stream");
    done.set(true);
    writer.get(60, TimeUnit.SECONDS);
    assertThat(SnapshotFiles.isSingle(fresh)).isFalse();
  }

  @Test
  void aMoveThatWasInterruptedIsContinued() throws Exception {
    List<Object> before = single();
    // The process ends after the stream is made and before the snapshot is complete.
    migration().intoCluster(data);
    NatsCluster.shared()
        .run(
            management -> {
              management.objectStoreManagement().delete(site.stream + "-snapshots");
              return true;
            });
    restoreFormer();
    migration().intoCluster(data);
    // It ends before the folder's database is replaced.
    restoreFormer();
    migration().intoCluster(data);
    assertThat(state(site.open("a"))).isEqualTo(before);
    assertThat(SnapshotFiles.isSingle(data)).isFalse();
  }

  private void restoreFormer() throws IOException {
    Files.delete(data.resolve("vigil.db"));
    Files.move(data.resolve(Migration.FORMER), data.resolve("vigil.db"));
  }

  @Test
  void wrongPlacesAreRefusedAndNothingChanges() throws Exception {
    assertThatThrownBy(() -> migration().outOfCluster(data))
        .hasMessageContaining("cannot be read (")
        .hasMessageContaining("correct --from or --stream");
    assertThatThrownBy(() -> migration().intoCluster(folder.resolve("none")))
        .hasMessageContaining("there is no store with data");
    JetStreamStore other = site.open("other");
    committed(other, plain(mote("m"), fact("rd", 1, "x")));
    List<Object> before = single();
    assertThatThrownBy(() -> migration().intoCluster(data))
        .hasMessageContaining("exists already, with other data")
        .hasMessageContaining("--stream");
    assertThat(single()).isEqualTo(before);
    try (SqliteStore running = SqliteStore.open(data, System::nanoTime)) {
      assertThat(running.position()).isEqualTo(41);
      assertThatThrownBy(() -> migration().intoCluster(data)).hasMessageContaining("is in use");
    }
    other.close();
    assertThatThrownBy(() -> migration().intoCluster(folder.resolve("other")))
        .hasMessageContaining("holds a replica of a cluster already");
  }
}
