package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.store.StoreException;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unsafe or wrong clusters are refused with one line that names the remedy. */
@NeedsNatsServer
class RefusalTest {
  @TempDir Path folder = Path.of("");
  private String stream = "";

  @BeforeEach
  void nameStream() {
    stream = folder.getFileName().toString();
  }

  private JetStreamStore open(ClusterOptions options) {
    return JetStreamStore.open(
        options, folder.resolve("data"), NatsCluster.RANDOM, System::nanoTime);
  }

  private ClusterOptions options(List<String> urls, boolean weak) {
    return new ClusterOptions(
        urls, stream, ClusterSecurity.NONE, 1, weak, false, Duration.ofSeconds(1));
  }

  private static void refused(ThrowingCallable opening, String... parts) {
    assertThatThrownBy(opening)
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.getMessage()).contains(parts).doesNotContain("\n"));
  }

  private void make(StreamConfiguration.Builder builder) throws Exception {
    NatsCluster.shared().run(management -> management.addStream(builder.name(stream).build()));
  }

  private StreamConfiguration.Builder vigils() {
    return StreamConfiguration.builder()
        .subjects(stream + ".e.*.*")
        .replicas(3)
        .storageType(StorageType.File)
        .metadata(Map.of("vigil.format", "1", "vigil.id", "an id"));
  }

  @Test
  void serversThatDoNotAnswerAreNamed() throws IOException {
    String url = "nats://operator:secret@127.0.0.1:" + NatsCluster.freePorts(1).getFirst();
    assertThatThrownBy(() -> open(options(List.of(url), false)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot connect to the NATS servers nats://127.0.0.1:")
        .hasMessageContaining("correct --store")
        .hasMessageNotContaining("secret");
  }

  @Test
  void wrongCredentialsAndASingleServerAreRefused() throws Exception {
    int port = NatsCluster.freePorts(1).getFirst();
    String configuration =
        """
        jetstream { store_dir: "%s" }
        authorization { user: vigil, password: right }
        """
            .formatted(folder.resolve("server"));
    try (NatsServer server = new NatsServer(folder.resolve("server"), port, configuration)) {
      server.start();
      List<String> right = List.of("nats://vigil:right@127.0.0.1:" + port);
      NatsCluster.awaitPort(port);
      refused(
          () -> open(options(List.of("nats://vigil:wrong@127.0.0.1:" + port), true)),
          "refuse the credentials",
          "correct the file that vigil.cluster.credentials names");
      refused(
          () -> open(options(List.of("tls://vigil:right@127.0.0.1:" + port), true)),
          "offer no TLS",
          "write nats://");
      refused(() -> open(new ClusterOptions(right, stream)), "three servers", "allow a weak store");
      refused(() -> open(options(right, false)), "1 replicas", "allow a weak store");
      try (JetStreamStore trial = open(options(right, true))) {
        assertThat(committed(trial, plain(mote("m"), fact("rd", 1, "x"))).position()).isEqualTo(1);
      }
    }
  }

  @Test
  void aClockThatDiffersFromTheServersIsRefusedExceptForATrial() {
    Clock fast = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(90));
    refused(
        () -> open(NatsCluster.shared().options(stream), fast),
        "the clock of the NATS servers is",
        "s behind this gateway's",
        "run NTP");
    try (JetStreamStore trial = open(options(NatsCluster.shared().urls(), true), fast)) {
      ClusterContact contact = trial.contact().orElseThrow();
      assertThat(contact.ahead()).isBetween(Duration.ofSeconds(-95), Duration.ofSeconds(-85));
      assertThat(contact.copies()).isEqualTo(3);
      assertThat(contact.isLost()).isFalse();
    }
  }

  private JetStreamStore open(ClusterOptions options, Clock clock) {
    return JetStreamStore.open(
        options,
        folder.resolve("data"),
        NatsCluster.RANDOM,
        clock,
        System::nanoTime,
        RepairLog.NONE);
  }

  @Test
  void aStreamThatVigilDidNotMakeIsRefused() throws Exception {
    make(StreamConfiguration.builder().subjects(stream).storageType(StorageType.Memory));
    refused(
        () -> open(NatsCluster.shared().options(stream)),
        "was not made by Vigil",
        "another name in vigil.cluster.stream");
  }

  @Test
  void aStreamThatDropsDataIsRefusedEvenForATrial() throws Exception {
    make(vigils().maxMessagesPerSubject(5));
    refused(
        () -> open(options(NatsCluster.shared().urls(), true)),
        "drops data by its max_msgs_per_subject",
        "remove that limit");
  }

  @Test
  void aNewerFormatAsksForAnUpgrade() throws Exception {
    make(vigils().metadata(Map.of("vigil.format", "2", "vigil.id", "an id")));
    refused(() -> open(NatsCluster.shared().options(stream)), "has format 2", "upgrade");
  }

  @Test
  void aStreamInMemoryIsOnlyForTrials() throws Exception {
    make(vigils().storageType(StorageType.Memory));
    refused(
        () -> open(NatsCluster.shared().options(stream)),
        "3 replicas in memory storage",
        "file storage");
  }

  @Test
  void theFolderOfASingleGatewayIsRefusedAndAReplicaBySqlite() {
    Path data = folder.resolve("data");
    try (SqliteStore store = SqliteStore.open(data, System::nanoTime)) {
      committed(store, plain(mote("m"), fact("rd", 1, "x")));
    }
    refused(
        () -> open(NatsCluster.shared().options(stream)),
        "holds the store of a single gateway",
        "--data-dir");
    Path replica = folder.resolve("replica");
    JetStreamStore.open(
            NatsCluster.shared().options(stream), replica, NatsCluster.RANDOM, System::nanoTime)
        .close();
    refused(
        () -> SqliteStore.open(replica, System::nanoTime),
        "holds a replica of the cluster",
        "--store");
  }

  @Test
  void noStreamIsMadeForAFolderOfAnotherClusterOrOfASingleGateway() throws Exception {
    open(NatsCluster.shared().options(stream)).close();
    String other = stream + "-other";
    refused(
        () -> open(NatsCluster.shared().options(other)),
        "does not exist, but the data folder holds a replica of the cluster",
        "vigil.cluster.adopt");
    Path single = folder.resolve("single");
    try (SqliteStore store = SqliteStore.open(single, System::nanoTime)) {
      committed(store, plain(mote("m"), fact("rd", 1, "x")));
    }
    refused(
        () ->
            JetStreamStore.open(
                NatsCluster.shared().options(other), single, NatsCluster.RANDOM, System::nanoTime),
        "holds the store of a single gateway");
    List<String> streams = NatsCluster.shared().run(management -> management.getStreamNames());
    assertThat(streams).doesNotContain(other);
  }

  @Test
  void anUnreadableMessageEndsWritingAndAsksForTheEndOfTheProcess() throws Exception {
    StreamSite site = new StreamSite(folder);
    try (site) {
      JetStreamStore store = site.open("data");
      committed(store, plain(mote("m"), fact("rd", 1, "x")));
      NatsCluster.shared()
          .run(
              management -> {
                management.jetStream().publish(stream + ".e.=.m", new byte[] {9, 9, 9});
                return true;
              });
      assertThat(site.ends.poll(60, TimeUnit.SECONDS)).contains("unreadable message at position 2");
      assertThat(site.losses).as("there is nothing to repair").isEmpty();
      assertThat(store.isFailing()).isTrue();
      assertThatThrownBy(() -> store.submit(plain(mote("n"), fact("rd", 1, "x"))).join())
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("upgrade this gateway");
      assertThat(feed(store, 0)).as("reading goes on until then").hasSize(1);
    }
    refused(() -> open(NatsCluster.shared().options(stream)), "unreadable message at position 2");
  }

  @Test
  void aDamagedReplicaAsksForTheEndOfTheProcess() throws Exception {
    try (StreamSite site = new StreamSite(folder)) {
      JetStreamStore a = site.open("data");
      for (int i = 0; i < 200; i++) {
        committed(a, plain(mote("m" + i), fact("rd", 1, "x".repeat(400))));
      }
      a.close();
      JetStreamStore b = site.open("data");
      Path database = folder.resolve("data").resolve("vigil.db");
      // Everything after the first page, which says what the file is.
      try (RandomAccessFile file = new RandomAccessFile(database.toFile(), "rw")) {
        file.seek(4096);
        file.write(new byte[(int) file.length() - 4096]);
      }
      for (int i = 0; i < 50 && site.ends.isEmpty(); i++) {
        b.submit(plain(mote("m" + i), fact("rd", 1, "y")));
      }
      assertThat(site.ends.poll(60, TimeUnit.SECONDS)).contains("is damaged");
    }
  }
}
