package dev.vigil.gateway.store.jetstream;

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

import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway stores again what the servers have lost. The test takes messages from the stream as
 * faults of the servers do.
 */
@NeedsNatsServer
class RepairTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final EndpointName LATE = mote("late");
  private static final EndpointName TRUST = mote(".trust");
  private static final EndpointName SESSIONS = mote(".sessions");

  @TempDir Path folder = Path.of("");
  private StreamSite site = new StreamSite(Path.of("none"));
  private String stream = "";

  @BeforeEach
  void nameStream() {
    site = new StreamSite(folder);
    stream = site.stream;
  }

  @AfterEach
  void close() {
    site.close();
  }

  private JetStreamStore open(String name, boolean adopt) {
    return site.open(name, adopt);
  }

  private JetStreamStore open(String name) {
    return site.open(name);
  }

  private record Stored(String subject, byte[] octets) {}

  /** Makes the stream again with its first messages only, or without one message. */
  private void lose(long keep, long hole, Map<String, String> metadata) throws Exception {
    NatsCluster.shared()
        .run(
            management -> {
              StreamConfiguration found = management.getStreamInfo(stream).getConfiguration();
              long last = management.getStreamInfo(stream).getStreamState().getLastSequence();
              List<Stored> messages = new ArrayList<>();
              for (long i = 1; i <= Math.min(keep, last); i++) {
                var message = management.getMessage(stream, i);
                messages.add(new Stored(message.getSubject(), message.getData()));
              }
              management.deleteStream(stream);
              management.addStream(
                  StreamConfiguration.builder(found).denyDelete(false).metadata(metadata).build());
              publish(management, messages);
              return hole == 0 || management.deleteMessage(stream, hole);
            });
  }

  private static void publish(JetStreamManagement management, List<Stored> messages)
      throws java.io.IOException, io.nats.client.JetStreamApiException {
    for (Stored message : messages) {
      NatsCluster.publish(management, message.subject(), message.octets());
    }
  }

  private void loseAfter(long keep) throws Exception {
    lose(keep, 0, metadata());
  }

  private Map<String, String> metadata() throws Exception {
    return NatsCluster.shared()
        .run(management -> management.getStreamInfo(stream).getConfiguration().getMetadata());
  }

  /** The state that clients can read, without positions, which repairs change. */
  private static List<Object> state(Store store, EndpointName name) {
    return List.of(
        store.endpoint(name),
        history(store, name, "v"),
        history(store, name, "old"),
        history(store, name, "audit"));
  }

  private static List<Object> state(Store store) {
    return List.of(state(store, MOTE), state(store, LATE), state(store, TRUST));
  }

  /** Three messages that stay, then five that the tests lose. */
  private static void fill(Store store) {
    committed(store, plain(TRUST, fact("v", 1, "listed")));
    committed(store, numbered(MOTE, 1, fact("v", 1, "one"), lasting("old", 4, "one")));
    committed(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "registered")));
    committed(store, numbered(MOTE, 5, fact("v", 1, "five"), lasting("old", 4, "five")));
    committed(store, plain(TRUST, fact("v", 1, "revoked"), fact("audit", Fact.KEEP_ALL, "r")));
    committed(store, numbered(MOTE, 7, lasting("old", 4, "seven")));
    committed(store, plain(MOTE, fact("audit", Fact.KEEP_ALL, "commanded")));
    committed(store, numbered(LATE, 3, fact("v", 1, "late")));
  }

  private static final long KEPT = 3;
  private static final long LOST = 5;

  @Test
  void aLostEndIsStoredAgainWithNumbersAndVersions() throws Exception {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    fill(a);
    TwoStoresTest.reach(b, KEPT + LOST);
    List<Object> before = state(a);
    a.close();
    b.close();
    loseAfter(KEPT);
    JetStreamStore repaired = open("a");
    assertThat(state(repaired)).isEqualTo(before);
    assertThat(site.losses).singleElement().asString().contains("ends before this replica");
    assertThat(site.repairs).containsExactly(new RepairLog.Repaired(LOST, LOST, 0, false));
    assertThat(outcome(repaired, numbered(MOTE, 7, fact("v", 1, "replayed"))))
        .isEqualTo(new SubmitResult.SequenceUsed(7));
    // The other gateway finds nothing missing, and both write on.
    JetStreamStore other = open("b");
    assertThat(state(other)).isEqualTo(before);
    assertThat(site.repairs.toArray()[1]).isEqualTo(new RepairLog.Repaired(0, 0, 0, false));
    committed(other, numbered(MOTE, 8, fact("v", 1, "eight")));
    TwoStoresTest.reach(repaired, other.position());
    assertThat(state(repaired)).isEqualTo(state(other));
    assertThat(ReplicaFiles.setAside(folder.resolve("a"))).isEmpty();
    // A new gateway reads the repaired stream like any other.
    assertThat(state(open("new"))).isEqualTo(state(other));
  }

  /** One name keeps its audit trail, the other has nothing left. */
  @Test
  void removedRecordsWhoseRemovalWasLostStayRemoved() throws Exception {
    JetStreamStore a = open("a");
    committed(a, plain(TRUST, fact("record/t", 1, "x")));
    committed(a, plain(SESSIONS, fact("record/s", 1, "x")));
    committed(a, plain(MOTE, fact("v", 1, "one")));
    committed(a, plain(TRUST, Fact.none("record/t"), fact("audit", Fact.KEEP_ALL, "r")));
    committed(a, plain(SESSIONS, Fact.none("record/s")));
    committed(a, plain(MOTE, fact("v", 1, "two")));
    a.close();
    loseAfter(KEPT);
    JetStreamStore repaired = open("a");
    assertThat(history(repaired, TRUST, "record/t")).isEmpty();
    assertThat(history(repaired, SESSIONS, "record/s")).isEmpty();
    assertThat(history(repaired, TRUST, "audit")).containsExactly("r");
    assertThat(site.repairs).containsExactly(new RepairLog.Repaired(3, 3, 0, false));
    JetStreamStore other = open("new");
    assertThat(history(other, TRUST, "record/t")).isEmpty();
    assertThat(history(other, SESSIONS, "record/s")).isEmpty();
  }

  @Test
  void whatAnotherGatewayHasOvertakenStaysOlder() throws Exception {
    JetStreamStore a = open("a");
    fill(a);
    a.close();
    loseAfter(KEPT);
    JetStreamStore c = open("c");
    committed(c, numbered(MOTE, 9, fact("v", 1, "nine"), lasting("old", 4, "nine")));
    JetStreamStore repaired = open("a");
    assertThat(repaired.endpoint(MOTE).orElseThrow().high()).isEqualTo(9);
    assertThat(history(repaired, MOTE, "v")).containsExactly("nine");
    assertThat(history(repaired, MOTE, "old")).containsExactly("one", "nine");
    assertThat(history(repaired, MOTE, "audit")).containsExactly("registered", "commanded");
    assertThat(history(repaired, TRUST, "v")).containsExactly("revoked");
    assertThat(history(repaired, LATE, "v")).containsExactly("late");
    assertThat(site.repairs)
        .singleElement()
        .extracting(RepairLog.Repaired::overtaken)
        .isEqualTo(2L);
    assertThat(folder.resolve("a").resolve("vigil.db.lost-1.kept")).exists();
    TwoStoresTest.reach(c, repaired.parts().replica().position());
    assertThat(state(c)).isEqualTo(state(repaired));
  }

  @Test
  void twoGatewaysThatRepairAtOnceStoreEverythingOnce() throws Exception {
    JetStreamStore a = open("a");
    JetStreamStore b = open("b");
    fill(a);
    for (int i = 0; i < 40; i++) {
      committed(a, numbered(mote("m-" + i), 1, fact("audit", Fact.KEEP_ALL, "x" + i)));
    }
    TwoStoresTest.reach(b, a.position());
    List<Object> before = state(a);
    a.close();
    b.close();
    loseAfter(KEPT);
    CompletableFuture<JetStreamStore> first = CompletableFuture.supplyAsync(() -> open("a"));
    JetStreamStore second = open("b");
    TwoStoresTest.reach(second, first.join().position());
    TwoStoresTest.reach(first.join(), second.position());
    for (JetStreamStore store : List.of(first.join(), second)) {
      assertThat(state(store)).isEqualTo(before);
      for (int i = 0; i < 40; i++) {
        assertThat(history(store, mote("m-" + i), "audit")).containsExactly("x" + i);
      }
    }
    assertThat(site.repairs.stream().mapToLong(RepairLog.Repaired::stored).sum())
        .isLessThanOrEqualTo(LOST + 40);
  }

  @Test
  void anotherStreamReceivesEverythingIfTheOperatorAllowsIt() throws Exception {
    JetStreamStore a = open("a");
    fill(a);
    List<Object> before = state(a);
    a.close();
    lose(0, 0, Map.of("vigil.format", "1", "vigil.id", "another"));
    assertThatThrownBy(() -> open("a"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not of another");
    JetStreamStore adopted = open("a", true);
    assertThat(state(adopted, MOTE).subList(1, 4))
        .isEqualTo(((List<?>) before.get(0)).subList(1, 4));
    assertThat(adopted.endpoint(MOTE).orElseThrow().high()).isEqualTo(7);
    assertThat(history(adopted, LATE, "v")).containsExactly("late");
    assertThat(history(adopted, TRUST, "v")).containsExactly("revoked");
    List<Object> after = state(adopted);
    adopted.close();
    assertThat(state(open("a"))).isEqualTo(after);
  }

  @Test
  void aStreamThatWasDeletedIsMadeAgainWithTheSameIds() throws Exception {
    JetStreamStore a = open("a");
    fill(a);
    List<Object> before = state(a);
    a.close();
    NatsCluster.shared().run(management -> management.deleteStream(stream));
    JetStreamStore again = open("a", true);
    assertThat(state(again)).isEqualTo(before);
    String id = committed(again, plain(mote("newest"), fact("rd", 1, "x"))).id();
    assertThat(BatchMessage.position(id)).isGreaterThan(KEPT + LOST);
    again.close();
    assertThat(state(open("new"))).isEqualTo(before);
  }

  @Test
  void anOpenStoreThatMeetsALossStopsAndRepairsWhenItIsOpenedAgain() throws Exception {
    JetStreamStore a = open("a");
    fill(a);
    List<Object> before = state(a);
    // The newest message of an endpoint is lost, and later ones of others are not.
    lose(Long.MAX_VALUE, KEPT + 2, metadata());
    assertThatThrownBy(() -> a.submit(plain(TRUST, fact("v", 1, "x"))).join())
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("restart this gateway");
    assertThat(site.losses).hasSize(1);
    assertThat(state(a)).as("reading goes on").isEqualTo(before);
    a.close();
    JetStreamStore c = open("c");
    assertThat(history(c, TRUST, "v")).containsExactly("listed");
    JetStreamStore repaired = open("a");
    assertThat(state(repaired)).isEqualTo(before);
    TwoStoresTest.reach(c, repaired.parts().replica().position());
    assertThat(state(c)).isEqualTo(before);
  }

  @Test
  void anOpenStoreNoticesALossWithoutWriting() throws Exception {
    JetStreamStore a = open("a");
    fill(a);
    List<Object> before = state(a);
    loseAfter(KEPT);
    assertThat(site.losses.poll(60, TimeUnit.SECONDS)).contains("lost or replaced its message 8");
    assertThat(a.isFailing()).isTrue();
    assertThat(state(a)).isEqualTo(before);
    a.close();
    assertThat(state(open("a"))).isEqualTo(before);
  }

  @Test
  void aRepairThatWasInterruptedIsFinishedAtTheNextStart() throws Exception {
    JetStreamStore a = open("a");
    fill(a);
    List<Object> before = state(a);
    a.close();
    Map<String, String> metadata = metadata();
    loseAfter(KEPT);
    // The process ends after the replica was set aside.
    ReplicaFiles.setAside(folder.resolve("a"), metadata.getOrDefault("vigil.id", ""), KEPT);
    assertThat(Files.exists(folder.resolve("a").resolve("vigil.db.lost-1"))).isTrue();
    assertThat(state(open("a"))).isEqualTo(before);
    assertThat(ReplicaFiles.setAside(folder.resolve("a"))).isEmpty();
  }
}
