package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.store.EndpointName;
import dev.vigil.store.SubmitResult;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that the servers acknowledged, and lost before the gateway had read them. */
@NeedsNatsServer
class LostAcknowledgementTest {
  private static final EndpointName MOTE = mote("mote-1");

  @TempDir Path folder = Path.of("");
  private StreamSite site = new StreamSite(Path.of("none"));
  private CompletableFuture<SubmitResult> unread = new CompletableFuture<>();

  @BeforeEach
  void begin() {
    site = new StreamSite(folder);
  }

  @AfterEach
  void close() {
    site.close();
  }

  /** A gateway that has read message 1, and whose message 2 is acknowledged and lost. */
  private JetStreamStore lost() throws Exception {
    JetStreamStore a = site.open("a");
    committed(a, numbered(MOTE, 1, fact("v", 1, "one")));
    a.parts().follower().close();
    unread = a.submit(numbered(MOTE, 2, fact("v", 1, "two")));
    StreamSite.await("acknowledgement", () -> a.parts().submitter().acknowledgedPosition() == 2);
    LostEnd.cut(site.stream, 1);
    return a;
  }

  private LogFollower follow(JetStreamStore store) {
    JetStreamStore.Parts parts = store.parts();
    Known known = Objects.requireNonNull(parts.replica().known(MOTE));
    LogFollower follower =
        new LogFollower(
            parts.connection(),
            parts.stream(),
            parts.start(),
            parts.replica(),
            new Subjects(site.stream),
            parts.submitter(),
            known.hash(),
            System::nanoTime);
    follower.start();
    return follower;
  }

  private void requireLoss(JetStreamStore store) throws Exception {
    LogFollower follower = follow(store);
    try {
      assertThat(site.losses.poll(60, TimeUnit.SECONDS)).contains("lost");
      assertThatThrownBy(() -> unread.get(60, TimeUnit.SECONDS)).hasMessageContaining("lost");
    } finally {
      follower.close();
    }
  }

  @Test
  void isNoticedThoughNothingFollows() throws Exception {
    requireLoss(lost());
  }

  @Test
  void isNoticedWhenAnotherMessageTakesItsPlace() throws Exception {
    JetStreamStore a = lost();
    assertThat(committed(site.open("b"), numbered(mote("other"), 1)).position()).isEqualTo(2);
    requireLoss(a);
  }
}
