package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.NOON;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.LoggedChange.BrokenLogException;
import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica holds what its log decided, and stops where the log does not continue it. */
class SqliteReplicaTest {
  private static final EndpointName MOTE = mote("mote");
  private static final byte[] NONE = {};

  @TempDir Path folder = Path.of("");

  private SqliteReplica open() {
    return SqliteReplica.open(folder, "log-1", 0, System::nanoTime);
  }

  private static byte[] hash(long position) {
    return new byte[] {(byte) position};
  }

  private static void apply(SqliteReplica replica, LoggedChange change) {
    try {
      replica.apply(change).join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A change whose batch had a sequence number if its H is above 0. */
  private static LoggedChange change(
      long position, String id, long high, long version, long previous, Fact... facts) {
    return new LoggedChange(
        new Change(position, id, MOTE, NOON, high, version, List.of(facts)),
        high,
        false,
        previous,
        previous == 0 ? NONE : hash(previous),
        hash(position));
  }

  @Test
  void positionIdVersionAndNumberAreThoseOfTheLog() {
    try (SqliteReplica replica = open()) {
      apply(replica, change(7, "7", 40, 1, 0, fact("ms", 1, "a")));
      apply(replica, change(9, "7", 41, 2, 7, fact("ms", 1, "b")));
    }
    try (SqliteReplica replica = open()) {
      assertThat(replica.position()).isEqualTo(9);
      assertThat(replica.known(MOTE))
          .isNotNull()
          .satisfies(
              known -> {
                assertThat(List.of(known.high(), known.version(), known.position()))
                    .containsExactly(41L, 2L, 9L);
                assertThat(known.hash()).isEqualTo(hash(9));
              });
      assertThat(history(replica, MOTE, "ms")).containsExactly("b");
      apply(replica, change(12, "7", 43, 3, 9, fact("ms", 1, "c")));
      assertThat(replica.endpoint(MOTE).orElseThrow().high()).isEqualTo(43);
    }
  }

  @Test
  void aReplicaThatWasLostIsFilledAnewBesideTheIdentityKey() throws Exception {
    Files.writeString(folder.resolve("identity.jwk"), "a key");
    try (SqliteReplica replica = open()) {
      apply(replica, change(7, "7", 40, 1, 0, fact("ms", 1, "a")));
      assertThat(replica.position()).isEqualTo(7);
    }
  }

  @Test
  void aChangeThatTheFileHasIsNotAppliedAgain() {
    try (SqliteReplica replica = open()) {
      LoggedChange once = change(1, "1", 5, 1, 0, fact("log", Fact.KEEP_ALL, "a"));
      apply(replica, once);
      apply(replica, once);
      assertThat(feed(replica, 0)).hasSize(1);
    }
  }

  @Test
  void anEmptiedEndpointIsReplacedByANewOneOfItsName() throws Exception {
    try (SqliteReplica replica = open()) {
      apply(replica, change(1, "1", 0, 1, 0, fact("rd", 1, "a"), fact("x", 3, "b")));
      apply(replica, change(2, "1", 0, 2, 1, Fact.none("rd"), Fact.none("x")));
      apply(replica, change(3, "3", 0, 1, 2, fact("rd", 1, "new")));
      assertThat(replica.endpoint(MOTE).orElseThrow().id()).isEqualTo("3");
      assertThat(history(replica, MOTE, "x")).isEmpty();
      assertThat(feed(replica, 0)).singleElement().extracting(Change::position).isEqualTo(3L);
    }
  }

  @Test
  void itIsReplacedWhenTheWholeStoryComesAtOnce() throws Exception {
    try (SqliteReplica replica = open()) {
      var last = replica.apply(change(1, "1", 0, 1, 0, fact("rd", 1, "a")));
      for (int i = 2; i < 200; i += 2) {
        String id = Integer.toString(i + 1, 36);
        last = replica.apply(change(i, Integer.toString(i - 1, 36), 0, 2, i - 1, Fact.none("rd")));
        last = replica.apply(change(i + 1, id, 0, 1, i, fact("rd", 1, "v" + i)));
      }
      last.join();
    }
    try (SqliteReplica replica = open()) {
      assertThat(replica.endpoint(MOTE).orElseThrow().version()).isEqualTo(1);
      assertThat(history(replica, MOTE, "rd")).containsExactly("v198");
    }
  }

  private void refuses(LoggedChange broken) {
    try (SqliteReplica replica = open()) {
      apply(replica, change(1, "1", 5, 1, 0, fact("ms", 1, "a")));
      assertThatThrownBy(() -> apply(replica, broken))
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(StoreException.class)
          .hasRootCauseInstanceOf(BrokenLogException.class);
      assertThatThrownBy(() -> apply(replica, change(3, "1", 6, 2, 1, fact("ms", 1, "b"))))
          .as("nothing after it is applied")
          .hasCauseInstanceOf(StoreException.class);
      assertThat(history(replica, MOTE, "ms")).containsExactly("a");
    }
  }

  @Test
  void aLogThatLostABatchIsNotFollowed() {
    refuses(change(2, "1", 6, 3, 1, fact("ms", 1, "x")));
  }

  @Test
  void aLogThatLowersTheNumberIsNotFollowed() {
    refuses(change(2, "1", 5, 2, 1, fact("ms", 1, "x")));
  }

  @Test
  void aTrustedEndpointIsNeverReplaced() {
    refuses(change(2, "2", 0, 1, 1, fact("ms", 1, "x")));
  }

  @Test
  void aReplacedBatchIsNoticed() {
    LoggedChange good = change(2, "1", 6, 2, 1, fact("ms", 1, "x"));
    refuses(new LoggedChange(good.change(), 6, false, 1, hash(99), hash(2)));
  }

  @Test
  void aLogMayLackMessagesOnlyUpToTheGivenPosition() {
    try (SqliteReplica replica = SqliteReplica.open(folder, "log-1", 4, System::nanoTime)) {
      apply(replica, change(1, "1", 5, 1, 0, fact("ms", 1, "a")));
      apply(replica, change(6, "1", 9, 4, 4, fact("ms", 1, "d")));
      assertThat(replica.endpoint(MOTE).orElseThrow().high()).isEqualTo(9);
      assertThatThrownBy(() -> apply(replica, change(9, "1", 10, 6, 8, fact("ms", 1, "f"))))
          .hasCauseInstanceOf(StoreException.class);
    }
  }

  @Test
  void aRepairedChangeKeepsItsNumberAndNeverLowersH() {
    LoggedChange broken = change(3, "1", 8, 4, 1, fact("ms", 1, "late"));
    try (SqliteReplica replica = open()) {
      apply(replica, change(1, "1", 9, 1, 0, fact("ms", 1, "a")));
      assertThatThrownBy(
              () -> apply(replica, new LoggedChange(broken.change(), 8, true, 1, hash(1), hash(3))))
          .as("it would lower H")
          .hasCauseInstanceOf(StoreException.class);
    }
    Change change = new Change(3, "1", MOTE, NOON, 9, 4, List.of(fact("x", 1, "late")));
    try (SqliteReplica replica = open()) {
      apply(replica, new LoggedChange(change, 8, true, 1, hash(1), hash(3)));
      assertThat(replica.endpoint(MOTE).orElseThrow().version()).isEqualTo(4);
      assertThat(replica.kept(MOTE)).extracting(KeptChange::sequence).containsExactly(9L, 8L);
    }
  }

  @Test
  void aReplicaThatIsSetAsideLeavesAnEmptyOneForAnotherLog() throws Exception {
    try (SqliteReplica replica = open()) {
      apply(replica, change(1, "1", 5, 1, 0, lasting("ms", 4, "a")));
      apply(replica, change(2, "1", 6, 2, 1, lasting("ms", 4, "b")));
    }
    assertThat(ReplicaFiles.head(folder))
        .isNotNull()
        .satisfies(head -> assertThat(head.position()).isEqualTo(2));
    ReplicaFiles.suspect(folder, "it differs");
    assertThat(ReplicaFiles.suspicion(folder)).isEqualTo("it differs");
    ReplicaFiles.setAside(folder, "log-2", 0);
    assertThat(ReplicaFiles.suspicion(folder)).isNull();
    try (SqliteReplica replica = SqliteReplica.open(folder, "log-2", 0, System::nanoTime)) {
      assertThat(replica.position()).isZero();
      assertThat(feed(replica, 0)).isEmpty();
    }
    Path aside = ReplicaFiles.setAside(folder).getFirst();
    try (LostReplica lost = LostReplica.open(aside)) {
      LostReplica.LostEndpoint mote = lost.endpoints().getFirst();
      assertThat(mote.hash()).isEqualTo(hash(2));
      assertThat(lost.changes(mote)).extracting(KeptChange::sequence).containsExactly(5L, 6L);
    }
    ReplicaFiles.finish(aside, false);
    assertThat(ReplicaFiles.setAside(folder)).isEmpty();
  }

  @Test
  void aChangeDecidedBeforeANewerOneHasNoEffectWhileTheReplicaIsFilled() {
    try (SqliteReplica replica = SqliteReplica.open(folder, "log-1", 9, System::nanoTime)) {
      apply(replica, change(1, "1", 5, 1, 0, fact("ms", 1, "a")));
      apply(replica, change(2, "1", 9, 2, 1, fact("ms", 1, "b")));
      apply(replica, change(3, "1", 7, 2, 1, fact("ms", 1, "stale")));
      apply(replica, change(4, "1", 8, 3, 3, fact("ms", 1, "on the stale one")));
      assertThat(replica.endpoint(MOTE).orElseThrow().version()).isEqualTo(2);
      apply(replica, change(5, "1", 10, 3, 4, fact("ms", 1, "c")));
      assertThat(history(replica, MOTE, "ms")).containsExactly("c");
      assertThat(replica.endpoint(MOTE).orElseThrow().high()).isEqualTo(10);
      assertThatThrownBy(() -> apply(replica, change(12, "1", 7, 2, 1, fact("ms", 1, "x"))))
          .as("later the log may have lost its end")
          .hasRootCauseInstanceOf(BrokenLogException.class);
    }
  }

  @Test
  void aCopyOfAReplicaTakesThePlaceOfAnotherFoldersWithItsFiles() throws Exception {
    Path other = folder.resolve("other");
    Path mine = folder.resolve("mine");
    try (SqliteReplica replica = SqliteReplica.open(mine, "log-1", 0, System::nanoTime)) {
      apply(replica, change(1, "1", 5, 1, 0, lasting("ms", 4, "a")));
      replica.store().companions().made(Companion.IDENTITY);
      replica.store().companions().made(Companion.COUNTERS);
      apply(replica, change(7, "1", 6, 2, 1, lasting("ms", 4, "b")));
      try (SqliteReplica behind = SqliteReplica.open(other, "log-1", 0, System::nanoTime)) {
        apply(behind, change(1, "1", 5, 1, 0, lasting("ms", 4, "a")));
        behind.store().companions().made(Companion.IDENTITY);
      }
      Path copy = SnapshotFiles.file(other, "copy");
      assertThat(SnapshotFiles.copy(mine, copy).position()).isEqualTo(7);
      assertThat(SnapshotFiles.head(copy).hash()).isEqualTo(hash(7));
      SnapshotFiles.install(other, copy, 8);
      assertThat(copy).doesNotExist();
    }
    try (SqliteReplica installed = SqliteReplica.open(other, "log-1", 0, System::nanoTime)) {
      assertThat(installed.position()).isEqualTo(7);
      assertThat(installed.gaps()).isEqualTo(8);
      assertThat(history(installed, MOTE, "ms")).containsExactly("a", "b");
      Files.deleteIfExists(other.resolve(Companion.IDENTITY.file()));
      assertThatThrownBy(() -> installed.store().companions().require(Companion.IDENTITY))
          .as("this folder needs it")
          .isInstanceOf(StoreException.class);
      installed.store().companions().require(Companion.COUNTERS);
    }
  }

  @Test
  void onlyTheLogWrites() {
    try (SqliteReplica replica = open()) {
      assertThatThrownBy(() -> replica.submit(plain(MOTE, fact("rd", 1, "x"))))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }
}
