package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.jetstream.snapshots.StreamRemoval;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.SubmitResult;
import dev.vigil.store.contract.StoreTesting;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers are killed while two gateways write. Every acknowledged batch is in both replicas once
 * and in one order, no batch is refused wrongly, and writing resumes.
 */
@NeedsNatsServer
class ServerFaultTest {
  private static final int WRITERS = 6;
  private static final EndpointName SHARED = mote("shared");

  /** Batches that a writer must get through after the servers are back. */
  private static final int AFTERWARDS = 20;

  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private static NatsCluster cluster;
  private static StreamWatch watch;

  @TempDir Path folder = Path.of("");
  private final List<JetStreamStore> stores = new ArrayList<>();
  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<Object> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger progress = new AtomicInteger();
  private final AtomicIntegerArray stored = new AtomicIntegerArray(2);
  private final List<Thread> writers = new ArrayList<>();
  private volatile boolean stopping;
  private volatile boolean removed;
  private volatile long begin;
  private String stream = "";

  @BeforeAll
  static void startServers() throws Exception {
    cluster = new NatsCluster();
    watch = new StreamWatch(cluster.urls());
  }

  @AfterAll
  static void stopServers() throws Exception {
    watch.close();
    cluster.close();
  }

  @BeforeEach
  void startWriters() {
    stream = folder.getFileName().toString();
    stores.add(open("a"));
    stores.add(open("b"));
    for (int i = 0; i < WRITERS; i++) {
      int number = i;
      writers.add(Thread.ofPlatform().start(() -> write(number)));
    }
  }

  @AfterEach
  void close() {
    stopping = true;
    stores.forEach(JetStreamStore::close);
  }

  private JetStreamStore open(String name) {
    ClusterOptions options =
        new ClusterOptions(
            cluster.urls(),
            stream,
            ClusterSecurity.NONE,
            ClusterOptions.MIN_REPLICAS,
            false,
            false,
            PATIENCE);
    return JetStreamStore.open(options, folder.resolve(name), NatsCluster.RANDOM, System::nanoTime);
  }

  /** Writes to an endpoint of its own and to one that all writers share. */
  private void write(int number) {
    JetStreamStore store = stores.get(number % stores.size());
    EndpointName own = mote("mote-" + number);
    for (int i = 1; !stopping; i++) {
      String body = "w" + number + "-" + i;
      submit(store, numbered(own, i, fact("log", Fact.KEEP_ALL, body)), body);
      submit(store, plain(SHARED, fact("log", Fact.KEEP_ALL, body)), "shared " + body);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Removes from the stream what both replicas have and a snapshot covers, whenever it answers. */
  private void remove() {
    JetStreamStore.Parts parts = stores.getFirst().parts();
    StreamRemoval removal = new StreamRemoval(parts.connection(), stream);
    while (!stopping && !removed) {
      try {
        long covered = StreamSite.snapshot(stores.getFirst()).position();
        for (JetStreamStore store : stores) {
          covered = Math.min(covered, store.position());
        }
        Duration any = Duration.ofHours(-1);
        begin = removal.remove(parts.messages().range(), covered, 1, any, Instant.now());
      } catch (IOException | JetStreamApiException | RuntimeException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // no leader at present
      } catch (InterruptedException e) {
        wrong.add(e);
        return;
      }
    }
  }

  private void submit(JetStreamStore store, Batch batch, String name) {
    CompletableFuture<SubmitResult> submitted = store.submit(batch);
    try {
      SubmitResult result = submitted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (result instanceof SubmitResult.Committed) {
        acknowledged.add(name);
        progress.incrementAndGet();
        stored.incrementAndGet(stores.indexOf(store));
      } else {
        wrong.add(name + " " + result);
      }
    } catch (Exception e) {
      wrong.add(e);
      stopping = true;
    }
  }

  private void awaitProgress(int more) {
    int from = progress.get();
    await("writing resumes", () -> progress.get() >= from + more);
  }

  /**
   * Waits until the stream has a leader, then until both gateways store again, and prints how long
   * each took. The replica of a gateway has read what the gateway has stored.
   */
  private void awaitRecovery(String fault) {
    long start = System.nanoTime();
    await("a leader of the stream", () -> watch.hasLeader(stream));
    long led = System.nanoTime();
    int a = stored.get(0);
    int b = stored.get(1);
    await("both store again", () -> stored.get(0) > a && stored.get(1) > b);
    System.out.printf(
        Locale.ROOT,
        "recovery: %s: a leader after %.1f s, both gateways %.1f s later (load %.0f)%n",
        fault,
        (led - start) / 1e9,
        (System.nanoTime() - led) / 1e9,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private void await(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean() && wrong.isEmpty()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private void killLeader() throws Exception {
    int leader = cluster.leader(stream).orElse(0);
    cluster.server(leader).kill();
    awaitRecovery("the leader is killed");
    awaitProgress(WRITERS * AFTERWARDS);
    cluster.server(leader).start();
    awaitProgress(WRITERS);
  }

  private void killMajority(int spared) throws Exception {
    List<Integer> killed = List.of((spared + 1) % 3, (spared + 2) % 3);
    killed.forEach(number -> cluster.server(number).kill());
    int stuck = progress.get();
    for (int number : killed) {
      cluster.server(number).start();
    }
    awaitRecovery("a majority is killed");
    awaitProgress(WRITERS * AFTERWARDS);
    assertThat(progress.get()).isGreaterThan(stuck);
  }

  private void restartServers() throws IOException {
    for (int number = 0; number < NatsCluster.SERVERS; number++) {
      cluster.server(number).kill();
    }
    for (int number = 0; number < NatsCluster.SERVERS; number++) {
      cluster.server(number).start();
    }
  }

  /** Opens a store with an empty folder before the servers have leaders. */
  private void openBesideServers() throws IOException {
    restartServers();
    cluster.urls().forEach(url -> NatsCluster.awaitPort(URI.create(url).getPort()));
    try (JetStreamStore late = open("late")) {
      assertThat(late.position()).isGreaterThan(begin);
    }
    awaitProgress(WRITERS);
  }

  private void killAll() throws Exception {
    restartServers();
    awaitRecovery("all servers are killed");
    awaitProgress(WRITERS * AFTERWARDS);
  }

  private void checkAll() throws InterruptedException {
    stopping = true;
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(wrong).isEmpty();
    long last = Math.max(stores.get(0).position(), stores.get(1).position());
    stores.forEach(store -> TwoStoresTest.reach(store, last));
    List<List<String>> feeds =
        stores.stream()
            .map(store -> StoreTesting.feed(store, 0).stream().map(StoreTesting::describe).toList())
            .toList();
    assertThat(feeds.get(0)).isEqualTo(feeds.get(1));
    List<String> stored = new ArrayList<>();
    history(stores.get(0), SHARED, "log").forEach(body -> stored.add("shared " + body));
    for (int i = 0; i < WRITERS; i++) {
      stored.addAll(history(stores.get(0), mote("mote-" + i), "log"));
    }
    assertThat(stored).containsExactlyInAnyOrderElementsOf(acknowledged);
  }

  @Test
  void theLeaderAndThenAMajorityAreKilledWhileMessagesAreRemoved() throws Exception {
    Thread remover = Thread.ofPlatform().start(this::remove);
    awaitProgress(WRITERS * AFTERWARDS);
    killLeader();
    killMajority(0);
    await("messages are removed", () -> begin > WRITERS);
    removed = true;
    remover.join(); // It would also remove what a new store has not read yet.
    openBesideServers();
    checkAll();
  }

  @Test
  @EnabledIfEnvironmentVariable(
      named = "VIGIL_TEST_ALL",
      matches = "1",
      disabledReason = "only with ./vigil test --all")
  void serversAreKilledTwentyTimes() throws Exception {
    Random random = new Random(35);
    for (int round = 0; round < 20; round++) {
      awaitProgress(1 + random.nextInt(200));
      switch (random.nextInt(3)) {
        case 0 -> killLeader();
        case 1 -> killMajority(random.nextInt(3));
        default -> killAll();
      }
    }
    checkAll();
  }
}
