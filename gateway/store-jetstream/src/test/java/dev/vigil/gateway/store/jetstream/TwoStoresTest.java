package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.onVersion;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import dev.vigil.store.contract.StoreTesting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways on one cluster behave as one. */
@NeedsNatsServer
class TwoStoresTest {
  private static final EndpointName MOTE = mote("mote-1");

  @TempDir Path folder = Path.of("");
  private final List<JetStreamStore> opened = new CopyOnWriteArrayList<>();
  private String stream = "";

  @BeforeEach
  void nameStream() {
    stream = folder.getFileName().toString();
  }

  @AfterEach
  void close() {
    opened.forEach(JetStreamStore::close);
  }

  private JetStreamStore open(String name) {
    JetStreamStore store =
        JetStreamStore.open(
            NatsCluster.shared().options(stream),
            folder.resolve(name),
            NatsCluster.RANDOM,
            System::nanoTime);
    opened.add(store);
    return store;
  }

  /** Waits until a replica has applied a position. */
  static void reach(JetStreamStore store, long position) {
    LinkedBlockingQueue<Long> seen = new LinkedBlockingQueue<>();
    try (Store.Subscription following = store.changes(0, change -> seen.add(change.position()))) {
      assertThat(following).isNotNull();
      long last = store.position();
      while (last < position) {
        Long next = seen.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("position %d after %d", position, last).isNotNull();
        last = Math.max(last, next == null ? 0 : next);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> describe(Store store) {
    return StoreTesting.feed(store, 0).stream().map(StoreTesting::describe).toList();
  }

  @Test
  void gatewaysThatStartAtOnceShareOneStream() throws Exception {
    List<CompletableFuture<JetStreamStore>> starting =
        Stream.of("a", "b", "c")
            .map(
                name ->
                    CompletableFuture.supplyAsync(
                        () -> open(name), task -> new Thread(task).start()))
            .toList();
    List<JetStreamStore> started = new ArrayList<>();
    for (CompletableFuture<JetStreamStore> one : starting) {
      started.add(one.get(60, TimeUnit.SECONDS));
    }
    long position = committed(started.getFirst(), plain(MOTE, fact("rd", 1, "x"))).position();
    started.forEach(store -> reach(store, position));
  }

  @Test
  void eachSeesTheChangesOfTheOtherInOrder() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    List<String> seen = new ArrayList<>();
    try (Store.Subscription following = a.changes(0, c -> seen.add(StoreTesting.describe(c)))) {
      assertThat(following).isNotNull();
      for (int i = 1; i <= 40; i++) {
        Store writer = i % 2 == 0 ? a : b;
        committed(writer, numbered(mote("mote-" + i % 7), i, fact("log", Fact.KEEP_ALL, "v" + i)));
      }
      reach(a, 40);
      reach(b, 40);
    }
    assertThat(seen).hasSize(40).isEqualTo(describe(a)).isEqualTo(describe(b));
    assertThat(b.endpoint(mote("mote-3"))).isEqualTo(a.endpoint(mote("mote-3"))).isPresent();
  }

  @Test
  void oneOfTwoBatchesWithTheSameNumberIsCommitted() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    for (int i = 1; i <= 100; i++) {
      CompletableFuture<SubmitResult> first =
          a.submit(numbered(MOTE, i, fact("log", Fact.KEEP_ALL, "a" + i)));
      CompletableFuture<SubmitResult> second =
          b.submit(numbered(MOTE, i, fact("log", Fact.KEEP_ALL, "b" + i)));
      assertThat(List.of(first.join(), second.join()))
          .filteredOn(result -> result instanceof SubmitResult.Committed)
          .hasSize(1);
    }
    reach(a, 100);
    reach(b, 100);
    assertThat(history(a, MOTE, "log")).hasSize(100).isEqualTo(history(b, MOTE, "log"));
    assertThat(a.endpoint(MOTE).orElseThrow().version()).isEqualTo(100);
  }

  @Test
  void everyAcknowledgedBatchOfOneEndpointIsInBothOnceAndInOneOrder() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    int each = 300;
    List<CompletableFuture<SubmitResult>> results =
        IntStream.range(0, 2 * each)
            .mapToObj(
                i -> (i % 2 == 0 ? a : b).submit(plain(MOTE, fact("log", Fact.KEEP_ALL, "v" + i))))
            .toList();
    results.forEach(result -> assertThat(result.join()).isInstanceOf(SubmitResult.Committed.class));
    reach(a, 2L * each);
    reach(b, 2L * each);
    assertThat(history(a, MOTE, "log"))
        .hasSize(2 * each)
        .doesNotHaveDuplicates()
        .isEqualTo(history(b, MOTE, "log"));
    assertThat(StoreTesting.feed(b, 0))
        .extracting(Change::version)
        .isEqualTo(IntStream.rangeClosed(1, 2 * each).mapToObj(i -> (long) i).toList());
  }

  @Test
  void aVersionOfTheOtherGatewayIsNotRefusedByAReplicaThatIsBehind() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    for (int i = 0; i < 100; i++) {
      Store writer = i % 2 == 0 ? a : b;
      assertThat(outcome(writer, onVersion(MOTE, i, fact("v", 1, "v" + i))))
          .isInstanceOf(SubmitResult.Committed.class);
    }
    assertThat(outcome(a, onVersion(MOTE, 200, fact("v", 1, "never"))))
        .isEqualTo(new SubmitResult.VersionMoved(100));
    assertThat(outcome(b, onVersion(mote("nobody"), 3, fact("v", 1, "never"))))
        .isEqualTo(new SubmitResult.VersionMoved(0));
  }

  @Test
  void idsAreUniqueAndTheSameOnBoth() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    List<CompletableFuture<SubmitResult>> results =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    (i % 2 == 0 ? a : b)
                        .submit(onVersion(mote("mote-" + i / 4), 0, fact("rd", 1, "x"))))
            .toList();
    results.forEach(CompletableFuture::join);
    reach(a, 50);
    reach(b, 50);
    Set<String> ids = new TreeSet<>();
    for (int i = 0; i < 50; i++) {
      assertThat(a.endpoint(mote("mote-" + i))).isEqualTo(b.endpoint(mote("mote-" + i)));
      ids.add(a.endpoint(mote("mote-" + i)).orElseThrow().id());
    }
    assertThat(ids).hasSize(50);
    String reserved = committed(a, plain(mote(".records/x"), fact("r", 1, "x"))).id();
    assertThat(reserved).startsWith(".");
  }

  @Test
  void aNameThatOneReplicaHasForgottenBecomesANewEndpointOnBoth() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    committed(b, plain(mote("kept"), fact("rd", 1, "here")));
    String former = committed(b, plain(MOTE, fact("rd", 1, "here"), fact("x", 3, "y"))).id();
    committed(b, plain(MOTE, Fact.none("rd"), Fact.none("x")));
    committed(b, numbered(mote("trusted"), 7, fact("ms", 1, "lease")));
    long last = committed(b, numbered(mote("trusted"), 8, Fact.none("ms"))).position();
    reach(a, last);
    // A replica forgets names when it is closed.
    a.close();
    JetStreamStore again = open("a");
    assertThat(again.endpoint(MOTE)).isEmpty();
    assertThat(b.endpoint(MOTE)).isPresent();
    assertThat(outcome(again, onVersion(MOTE, 2, fact("rd", 1, "never"))))
        .as("the name does not exist here")
        .isEqualTo(new SubmitResult.VersionMoved(0));
    Change change = committed(again, onVersion(MOTE, 0, fact("rd", 1, "new")));
    assertThat(change.version()).isEqualTo(1);
    assertThat(change.id()).isNotEqualTo(former);
    assertThat(outcome(again, numbered(mote("trusted"), 8, fact("ms", 1, "replayed"))))
        .isEqualTo(new SubmitResult.SequenceUsed(8));
    reach(b, change.position());
    assertThat(b.endpoint(MOTE)).isEqualTo(again.endpoint(MOTE));
    assertThat(history(b, MOTE, "rd")).containsExactly("new");
    assertThat(history(b, MOTE, "x")).isEmpty();
    // Both continue it, also after a restart of the replica that replaced the endpoint.
    b.close();
    JetStreamStore back = open("b");
    assertThat(committed(back, plain(MOTE, fact("rd", 1, "two"))).version()).isEqualTo(2);
    assertThat(committed(again, plain(MOTE, fact("rd", 1, "three"))).version()).isEqualTo(3);
    reach(back, again.position());
    assertThat(describe(back)).isEqualTo(describe(again));
  }

  @Test
  void aNameThatTheOtherContinuesKeepsItsIdWhereItWasForgotten() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    committed(b, plain(mote("kept"), fact("rd", 1, "here")));
    String id = committed(b, plain(MOTE, fact("rd", 1, "here"))).id();
    committed(b, plain(MOTE, Fact.none("rd")));
    reach(a, committed(b, plain(mote("newest"), fact("rd", 1, "here"))).position());
    a.close();
    JetStreamStore again = open("a");
    assertThat(again.endpoint(MOTE)).isEmpty();
    Change change = committed(b, plain(MOTE, fact("rd", 1, "back")));
    assertThat(change.id()).isEqualTo(id);
    assertThat(change.version()).isEqualTo(3);
    reach(again, change.position());
    assertThat(again.endpoint(MOTE)).isEqualTo(b.endpoint(MOTE));
    assertThat(committed(again, onVersion(MOTE, 3, fact("rd", 1, "more"))).version()).isEqualTo(4);
  }

  @Test
  void aReplicaContinuesAtItsPositionAfterARestart() {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    committed(a, numbered(MOTE, 1, fact("v", 1, "one")));
    reach(b, 1);
    b.close();
    for (int i = 2; i <= 20; i++) {
      committed(a, numbered(MOTE, i, fact("log", Fact.KEEP_ALL, "v" + i)));
    }
    JetStreamStore back = open("b");
    assertThat(back.position()).as("it has caught up when it is open").isEqualTo(20);
    assertThat(describe(back)).isEqualTo(describe(a));
    assertThat(outcome(back, numbered(MOTE, 20, fact("v", 1, "replayed"))))
        .isEqualTo(new SubmitResult.SequenceUsed(20));
  }

  @Test
  void anEmptyReplicaIsFilledFromTheStream() {
    JetStreamStore a = open("a");
    for (int i = 1; i <= 500; i++) {
      a.submit(numbered(mote("mote-" + i % 50), i, fact("log", Fact.KEEP_ALL, "v" + i)));
    }
    committed(a, plain(MOTE, fact("rd", 1, "last")));
    reach(a, 501);
    assertThat(describe(open("new"))).isEqualTo(describe(a)).hasSize(501);
  }

  @Test
  void aReplicaOfAnotherStreamIsRefused() {
    JetStreamStore a = open("a");
    committed(a, plain(MOTE, fact("rd", 1, "here")));
    a.close();
    stream += "-other";
    assertThatThrownBy(() -> open("a"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("holds a replica of the cluster")
        .hasMessageContaining("correct --store");
  }
}
