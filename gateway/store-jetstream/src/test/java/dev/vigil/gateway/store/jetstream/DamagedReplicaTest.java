package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose replica is damaged fills it again, and still repairs the stream by the rest. */
@NeedsNatsServer
class DamagedReplicaTest {
  private static final int VALUES = 40;

  /** More with: -Dvigil.rounds=200. */
  private static final int ROUNDS = Integer.getInteger("vigil.rounds", 6);

  private static final int FLIPS = 20;

  /** Octets of the header of a SQLite file. */
  private static final int HEADER = 100;

  private static final EndpointName MOTE = mote("mote-1");
  private static final EndpointName OTHER = mote("mote-2");
  private static final EndpointName RECORDS = mote(".records/token");

  /** Each with 1000 records; a store knows the latest 5120 removals at most. */
  private static final int ROUNDS_OF_RECORDS = 6;

  @TempDir Path folder = Path.of("");
  private StreamSite site = new StreamSite(Path.of("none"));
  private List<Object> before = List.of();

  /** The values are large, so that the file has many pages. */
  @BeforeEach
  void fill() {
    site = new StreamSite(folder);
    try (JetStreamStore store = site.open("a")) {
      for (int i = 1; i <= VALUES; i++) {
        EndpointName name = i % 2 == 0 ? MOTE : OTHER;
        committed(store, numbered(name, i, fact("v", VALUES, "value %1000d".formatted(i))));
      }
      before = StreamSite.state(store, MOTE, OTHER);
    }
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Path file(String name) {
    return folder.resolve("a").resolve(name);
  }

  private void sql(String sql) throws SQLException {
    sql("a", sql);
  }

  private void sql(String name, String sql) throws SQLException {
    Path database = folder.resolve(name).resolve("vigil.db");
    try (Connection side = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = side.createStatement()) {
      statement.execute(sql);
    }
  }

  private int rows(String file, String table) throws SQLException {
    try (Connection side = DriverManager.getConnection("jdbc:sqlite:" + file(file));
        Statement statement = side.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      return row.getInt(1);
    }
  }

  private void assertFilledAgain() {
    JetStreamStore filled = site.open("a");
    assertThat(StreamSite.state(filled, MOTE, OTHER)).isEqualTo(before);
    assertThat(site.losses)
        .isNotEmpty()
        .allSatisfy(loss -> assertThat(loss).contains("is damaged ("));
    assertThat(site.repairs).containsExactly(new RepairLog.Repaired(0, 0, 0, true));
    assertThat(file("vigil.db.lost-1.kept")).exists();
    assertThat(file("vigil.db.suspect")).doesNotExist();
    committed(filled, numbered(MOTE, VALUES + 1, fact("v", VALUES, "next")));
    assertThat(outcome(filled, numbered(OTHER, 1, fact("v", VALUES, "replayed"))))
        .isInstanceOf(SubmitResult.SequenceUsed.class);
  }

  @Test
  void aDamagedValueEndsTheGatewayWhichThenFillsItsReplicaAgain() throws Exception {
    sql("UPDATE fact SET body = zeroblob(length(body)) WHERE position = 7");
    try (JetStreamStore store = site.open("a")) {
      assertThat(history(store, MOTE, "v")).hasSize(VALUES / 2);
      assertThatThrownBy(() -> history(store, OTHER, "v"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("vigil.db is damaged (row [7, 0] of fact)");
      assertThat(site.ends.poll(30, TimeUnit.SECONDS))
          .contains("is damaged (row [7, 0] of fact): restart this gateway");
    }
    assertFilledAgain();
    assertThat(rows("vigil.db.lost-1.kept", "damaged_fact")).isEqualTo(1);
    assertThat(rows("vigil.db.lost-1.kept", "fact")).isEqualTo(VALUES - 1);
  }

  /** Nobody reads the value, but each snapshot reads all. */
  @Test
  void aSnapshotFindsDamageAndIsNotStored() throws Exception {
    sql("UPDATE fact SET body = zeroblob(length(body)) WHERE position = 7");
    try (JetStreamStore store = site.open("a")) {
      assertThatThrownBy(() -> StreamSite.snapshot(store))
          .hasMessageContaining("is damaged (row [7, 0] of fact)");
      assertThat(site.ends.poll(30, TimeUnit.SECONDS)).contains("restart this gateway");
      assertThat(store.parts().bucket().list()).isEmpty();
    }
    assertFilledAgain();
  }

  @Test
  void damageThatTheStartFindsCostsNoSecondStart() throws Exception {
    sql("UPDATE fact SET high = high + 4 WHERE position = 39");
    assertFilledAgain();
    assertThat(rows("vigil.db.lost-1.kept", "damaged_fact")).isEqualTo(1);
  }

  @Test
  void aSecondDamagedReplicaIsKeptBesideTheFirst() throws Exception {
    for (int i = 0; i < 2; i++) {
      sql("UPDATE fact SET high = high + 4 WHERE position = 39");
      try (JetStreamStore filled = site.open("a")) {
        assertThat(StreamSite.state(filled, MOTE, OTHER)).isEqualTo(before);
      }
    }
    assertThat(rows("vigil.db.lost-1.kept", "damaged_fact")).isEqualTo(1);
    assertThat(rows("vigil.db.lost-2.kept", "damaged_fact")).isEqualTo(1);
  }

  /** So many records were removed later that no replica knows the removal any more. */
  @Test
  void aDamagedReplicaStoresNoRemovedRecordAgain() throws Exception {
    JetStreamStore a = site.open("a");
    JetStreamStore b = site.open("b");
    committed(a, plain(RECORDS, fact("record/t", 1, "x")));
    TwoStoresTest.reach(b, a.position());
    b.close();
    committed(a, plain(RECORDS, Fact.none("record/t"), fact("audit", Fact.KEEP_ALL, "t")));
    for (int round = 0; round < ROUNDS_OF_RECORDS; round++) {
      committed(a, plain(RECORDS, records(round, slot -> fact(slot, 1, "x"))));
      committed(a, plain(RECORDS, records(round, Fact::none)));
      committed(a, plain(RECORDS, fact("audit", Fact.KEEP_ALL, "round " + round)));
    }
    a.close();
    assertThat(rows("vigil.db", "fact WHERE slot = 'record/t'")).isZero();
    assertThat(rows("vigil.db", "fact WHERE length(body) = 0")).isBetween(1, 4096);
    JetStreamStore again = site.open("a");
    StreamSite.snapshot(again);
    sql("b", "UPDATE fact SET high = high + 4 WHERE position = 39");
    JetStreamStore back = site.open("b");
    assertThat(history(back, RECORDS, "record/t")).isEmpty();
    assertThat(site.repairs).containsExactly(new RepairLog.Repaired(0, 0, 0, true));
  }

  private static Fact[] records(int round, Function<String, Fact> fact) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> fact.apply("record/%d-%d".formatted(round, i)))
        .toArray(Fact[]::new);
  }

  /** Neither a copy nor an index can be made of this file. */
  @Test
  void aFileThatCannotBeReadIsMovedAside() throws Exception {
    int pages = (int) (Files.size(file("vigil.db")) / 4096);
    try (RandomAccessFile octets = new RandomAccessFile(file("vigil.db").toFile(), "rw")) {
      octets.seek(4096L * (pages - 2));
      octets.write(new byte[2 * 4096]);
    }
    assertFilledAgain();
  }

  @Test
  void theIntactRestOfADamagedReplicaStillRepairsTheStream() throws Exception {
    LostEnd.cut(site.stream, VALUES - 10);
    sql("UPDATE fact SET body = zeroblob(length(body)) WHERE position = " + (VALUES - 5));
    JetStreamStore repaired = site.open("a");
    assertThat(site.repairs).containsExactly(new RepairLog.Repaired(9, 9, 0, true));
    assertThat(history(repaired, MOTE, "v")).hasSize(VALUES / 2);
    assertThat(history(repaired, OTHER, "v")).hasSize(VALUES / 2 - 1);
    assertThat(repaired.endpoint(OTHER).orElseThrow().high()).isEqualTo(VALUES - 1);
  }

  /** Nobody knows whether it is the store of a single gateway, which must not be moved. */
  @Test
  void aFileWithoutAReadableHeaderIsNotMovedAside() throws IOException {
    Path single = file("vigil.db");
    try (RandomAccessFile octets = new RandomAccessFile(single.toFile(), "rw")) {
      octets.write(new byte[4096]);
    }
    assertThatThrownBy(() -> site.open("a")).hasMessageContaining("vigil.db is damaged");
    assertThat(single).exists();
  }

  /** Bits flip behind the header, which says that the file is a replica. */
  @Test
  void aReplicaWithFlippedBitsAnywhereHasTheValuesOfTheStreamAgain() throws Exception {
    byte[] intact = Files.readAllBytes(file("vigil.db"));
    Random random = new Random(20_120_415);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] flipped = intact.clone();
      for (int i = 0; i < FLIPS; i++) {
        int bit = random.nextInt(8 * HEADER, 8 * flipped.length);
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
      }
      String name = "flipped-" + round;
      Files.createDirectory(folder.resolve(name));
      Files.write(folder.resolve(name).resolve("vigil.db"), flipped);
      assertThat(stateAfterOneRestart(name)).as("round %d", round).isEqualTo(before);
    }
  }

  private List<Object> stateAfterOneRestart(String name) {
    try (JetStreamStore store = site.open(name)) {
      return StreamSite.state(store, MOTE, OTHER);
    } catch (StoreException e) {
      // Found when it was read, so the gateway has ended.
      return StreamSite.state(site.open(name), MOTE, OTHER);
    }
  }

  @Test
  void aReplicaOfAnEarlierVersionIsMarked() throws Exception {
    sql("PRAGMA application_id = 0");
    site.open("a").close();
    byte[] header = Arrays.copyOf(Files.readAllBytes(file("vigil.db")), HEADER);
    assertThat(new String(header, 68, 4, StandardCharsets.US_ASCII)).isEqualTo("VigR");
  }
}
