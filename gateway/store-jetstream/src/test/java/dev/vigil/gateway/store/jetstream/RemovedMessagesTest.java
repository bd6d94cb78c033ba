package dev.vigil.gateway.store.jetstream;

import static dev.vigil.gateway.store.jetstream.StreamSite.removeBefore;
import static dev.vigil.gateway.store.jetstream.StreamSite.snapshot;
import static dev.vigil.gateway.store.jetstream.StreamSite.state;
import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.onVersion;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.jetstream.BatchMessage.BatchId;
import dev.vigil.gateway.store.jetstream.snapshots.StreamRemoval;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.SubmitResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compare-and-set of endpoints whose messages are no longer in the stream. */
@NeedsNatsServer
class RemovedMessagesTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final EndpointName FILLER = mote("filler");

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

  /** An endpoint whose messages 1 and 2 are removed; the stream begins at 5. */
  private JetStreamStore removed() throws Exception {
    JetStreamStore a = site.open("a");
    committed(a, numbered(MOTE, 5, fact("v", 1, "five")));
    committed(a, numbered(MOTE, 6, fact("v", 1, "six")));
    for (int i = 1; i <= 3; i++) {
      committed(a, numbered(FILLER, i, fact("v", 1, "x" + i)));
    }
    snapshot(a);
    removeBefore(a, 5);
    return a;
  }

  @Test
  void anEndpointIsContinuedThoughTheRemovalIsNotKnownHere() throws Exception {
    JetStreamStore a = removed();
    assertThat(a.parts().start().position()).as("it does not know").isLessThan(2);
    assertThat(outcome(a, numbered(MOTE, 6, fact("v", 1, "replayed"))))
        .isEqualTo(new SubmitResult.SequenceUsed(6));
    assertThat(committed(a, numbered(MOTE, 7, fact("v", 1, "seven"))).version()).isEqualTo(3);
    assertThat(a.parts().start().position()).isEqualTo(5);
    assertThat(committed(a, numbered(MOTE, 8, fact("v", 1, "eight"))).version()).isEqualTo(4);
    assertThat(history(a, MOTE, "v")).containsExactly("eight");
  }

  @Test
  void aVersionThatNobodyHasIsRefusedAndANewNameIsMade() throws Exception {
    JetStreamStore a = removed();
    assertThat(outcome(a, onVersion(MOTE, 9, fact("v", 1, "never"))))
        .isEqualTo(new SubmitResult.VersionMoved(2));
    assertThat(committed(a, onVersion(MOTE, 2, fact("v", 1, "on"))).version()).isEqualTo(3);
    assertThat(committed(a, onVersion(mote("new"), 0, fact("v", 1, "x"))).version()).isEqualTo(1);
  }

  /** The leader dates messages; its clock is a day behind the gateway's here. */
  @Test
  void youngMessagesStayThoughTheServersDateThemBack() throws Exception {
    JetStreamStore a = removed();
    long last = committed(a, plain(FILLER, fact("v", 1, "y"))).position();
    JetStreamStore.Parts parts = a.parts();
    StreamRemoval removal = new StreamRemoval(parts.connection(), parts.stream().name());
    Instant ahead = Instant.now().plus(Duration.ofDays(1));
    assertThat(removal.remove(parts.messages().range(), last, 1, Duration.ofHours(1), ahead))
        .isEqualTo(5);
    assertThat(removal.remove(parts.messages().range(), last, 1, Duration.ZERO, ahead))
        .isEqualTo(last);
  }

  /** Servers that went back to older disks have messages again that were removed. */
  @Test
  void anEndpointIsContinuedThoughItsRemovedMessagesAreBack() throws Exception {
    JetStreamStore a = removed();
    long last = committed(a, numbered(MOTE, 7, fact("v", 1, "seven"))).position();
    a.parts().start().reach(last + 1);
    assertThat(committed(a, numbered(MOTE, 8, fact("v", 1, "eight"))).version()).isEqualTo(4);
    assertThat(a.parts().start().position()).isEqualTo(last);
  }

  @Test
  void oneOfTwoGatewaysWinsEachNumberWhileMessagesAreRemoved() throws Exception {
    JetStreamStore a = removed();
    JetStreamStore b = site.open("b");
    for (int i = 10; i < 40; i++) {
      CompletableFuture<SubmitResult> first =
          a.submit(numbered(MOTE, i, fact("audit", Fact.KEEP_ALL, "a" + i)));
      CompletableFuture<SubmitResult> second =
          b.submit(numbered(MOTE, i, fact("audit", Fact.KEEP_ALL, "b" + i)));
      assertThat(List.of(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS)))
          .filteredOn(result -> result instanceof SubmitResult.Committed)
          .hasSize(1);
      if (i % 3 == 0) {
        long last = committed(a, plain(FILLER, fact("v", 1, "y" + i))).position();
        TwoStoresTest.reach(b, last);
        removeBefore(a, last);
      }
    }
    TwoStoresTest.reach(a, b.position());
    TwoStoresTest.reach(b, a.position());
    assertThat(state(a, MOTE)).isEqualTo(state(b, MOTE));
    assertThat(history(a, MOTE, "audit")).hasSize(30);
  }

  /** Removal happens again and again between the decision about a batch and its message. */
  @Test
  void everyBatchIsStoredOnceWhileMessagesAreRemovedAllTheTime() throws Exception {
    JetStreamStore a = removed();
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> remover =
        CompletableFuture.runAsync(
            () -> {
              while (!done.get()) {
                try {
                  long last = committed(a, plain(FILLER, fact("v", 1, "z"))).position();
                  removeBefore(a, last);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    for (int i = 10; i < 60; i++) {
      for (int j = 0; j < 3; j++) {
        committed(a, numbered(mote("m" + j), i, fact("audit", Fact.KEEP_ALL, "n" + i)));
      }
    }
    done.set(true);
    remover.get(60, TimeUnit.SECONDS);
    for (int j = 0; j < 3; j++) {
      assertThat(history(a, mote("m" + j), "audit")).hasSize(50).doesNotHaveDuplicates();
    }
    assertThat(site.losses).isEmpty();
  }

  @Test
  void aMessageThatWasDecidedBeforeARemovedOneHasNoEffect() throws Exception {
    JetStreamStore a = removed();
    Known old = Objects.requireNonNull(a.parts().replica().known(MOTE));
    committed(a, numbered(MOTE, 8, fact("v", 1, "eight")));
    long last = committed(a, numbered(FILLER, 9, fact("v", 1, "x9"))).position();
    snapshot(a);
    removeBefore(a, last);
    List<Object> before = state(a, MOTE, FILLER);
    // A gateway that was suspended since then sends what it had decided; nothing refuses it.
    byte[] stale =
        BatchMessage.decide(new BatchId(1, 1), old, numbered(MOTE, 7, fact("v", 1, "stale")))
            .encode();
    NatsCluster.shared()
        .run(management -> management.jetStream().publish(site.stream + ".e.=.mote-1", stale));
    assertThat(site.losses.poll(60, TimeUnit.SECONDS)).contains("does not continue this replica");
    a.close();
    JetStreamStore again = site.open("a");
    assertThat(state(again, MOTE, FILLER)).as("H is not lowered").isEqualTo(before);
    assertThat(state(site.open("new"), MOTE, FILLER)).isEqualTo(before);
    committed(again, numbered(MOTE, 10, fact("v", 1, "ten")));
    again.close();
    assertThat(history(site.open("a"), MOTE, "v")).containsExactly("ten");
  }

  @Test
  void anEndpointThatTheStreamHasLostIsNotTakenForARemovedOne() throws Exception {
    JetStreamStore a = removed();
    long position = committed(a, numbered(MOTE, 7, fact("v", 1, "seven"))).position();
    committed(a, numbered(FILLER, 9, fact("v", 1, "x9")));
    List<Object> before = state(a, MOTE, FILLER);
    a.close();
    LostEnd.cut(site.stream, position - 1);
    JetStreamStore repaired = site.open("a");
    assertThat(state(repaired, MOTE, FILLER)).isEqualTo(before);
    assertThat(site.repairs).containsExactly(new RepairLog.Repaired(2, 2, 0, false));
    assertThat(outcome(repaired, numbered(MOTE, 7, fact("v", 1, "replayed"))))
        .isEqualTo(new SubmitResult.SequenceUsed(7));
  }
}
