package dev.vigil.gateway.aggregates;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.plain;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.jose.Jws;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From the feed to the aggregates. */
class AggregateRecorderTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final String VALUE = StoreSlots.VALUE + "temp";
  private static final String RECOVERED = StoreSlots.RECOVERED + "temp";
  private static final int KEEP = 5000;

  /** The start of a minute long before the arrivals. */
  private static final long START = 1_763_640_000;

  @TempDir Path folder = Path.of("");

  private final SleepyEndpoint endpoint = new SleepyEndpoint("mote-1");
  private SqliteStore store;
  private AggregateRecorder recorder;
  private Store.Subscription subscription;
  private long nanos;
  private long seq;

  @BeforeEach
  void open() {
    store = SqliteStore.open(folder, System::nanoTime);
    follow();
  }

  private void follow() {
    recorder = new AggregateRecorder(store, store.aggregates(), () -> nanos);
    long newest = store.page(0, 100_000).size();
    subscription = recorder.follow(newest);
  }

  @AfterEach
  void close() {
    subscription.close();
    store.close();
  }

  /** As after a crash: what was not written is lost with the recorder. */
  private void crash() {
    subscription.close();
    follow();
  }

  private void measure(double value, long at) {
    measure(MOTE, value, at);
  }

  private void measure(EndpointName name, double value, long at) {
    committed(store, measurement(name, value, at));
  }

  /** Values from 0, the given seconds apart; the store writes them together. */
  private void measureMany(int count, int seconds) {
    IntStream.range(0, count)
        .mapToObj(i -> store.submit(measurement(MOTE, i, START + (long) seconds * i)))
        .toList()
        .forEach(result -> assertThat(result.join()).isInstanceOf(SubmitResult.Committed.class));
  }

  private Batch measurement(EndpointName name, double value, long at) {
    byte[] jws = endpoint.measured("temp", ++seq, value, at).getBytes(US_ASCII);
    byte[] body = StoredValue.bodyOf(Jws.parse(jws), false);
    return numbered(name, seq, new Fact(VALUE, KEEP, body));
  }

  private List<Entry> read(Resolution resolution) {
    return recorder.read(MOTE, "temp", resolution, 0, Long.MAX_VALUE, 10_000);
  }

  private long count() {
    return read(Resolution.DAY).stream().mapToLong(entry -> entry.aggregate().count()).sum();
  }

  private void writeAfterAMinute() throws InterruptedException {
    nanos += Duration.ofMinutes(1).toNanos();
    recorder.step();
  }

  @Test
  void numbersAreReadBeforeTheyAreWrittenAndAfterwards() throws Exception {
    measure(20, START + 10);
    measure(24, START + 50);
    recorder.step();
    assertThat(store.aggregates().positions()).containsOnly(0L);
    List<Entry> pending = read(Resolution.MINUTE);
    AggregateSeries series =
        new AggregateSeries(MOTE, "temp", "mote-1/temp", "Cel", endpoint.jkt());
    assertThat(pending)
        .containsExactly(new Entry(series, START, new Aggregate(2, 44, 20, 24, 24, START + 50)));
    writeAfterAMinute();
    assertThat(store.aggregates().positions()).containsOnly(2L);
    assertThat(read(Resolution.MINUTE)).isEqualTo(pending);
    assertThat(recorder.since(MOTE, "temp")).contains(Instant.ofEpochSecond(START));
  }

  /** Without being woken, each step would wait for a day. */
  @Test
  @Timeout(60)
  void aStopDoesNotWaitForTheNextChange() throws Exception {
    subscription.close();
    recorder =
        new AggregateRecorder(
            store, store.aggregates(), () -> nanos, Duration.ofDays(1).toMillis());
    subscription = recorder.follow(0);
    recorder.wake();
    recorder.step();
    measure(1, START);
    recorder.step();
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void aCrashCountsNothingTwiceAndLosesNothing() throws Exception {
    measure(1, START);
    recorder.step();
    writeAfterAMinute();
    measure(2, START + 1);
    recorder.step();
    crash();
    measure(3, START + 2);
    recorder.step();
    recorder.step();
    assertThat(count()).isEqualTo(3);
    writeAfterAMinute();
    crash();
    recorder.step();
    assertThat(count()).isEqualTo(3);
  }

  @Test
  void valuesOfAnEarlierVersionAreAggregatedAtTheFirstStart() throws Exception {
    measureMany(3, 60);
    crash();
    recorder.step();
    assertThat(read(Resolution.MINUTE)).hasSize(3);
  }

  @Test
  void changesThatDoNotFitIntoTheQueueAreReadFromTheStore() throws Exception {
    measureMany(600, 1);
    recorder.step();
    recorder.step();
    assertThat(count()).isEqualTo(600);
  }

  @Test
  void manyMinutesAreWrittenInParts() throws Exception {
    measureMany(1100, 60);
    recorder.step();
    recorder.step();
    assertThat(Collections.max(store.aggregates().positions())).isPositive();
    assertThat(read(Resolution.MINUTE)).hasSize(1100);
    assertThat(count()).isEqualTo(1100);
  }

  /** The feed is read again from the part that was written first. */
  @Test
  void partsThatWereWrittenAtDifferentTimesAreCountedOnce() throws Exception {
    List<EndpointName> motes = IntStream.range(0, 40).mapToObj(i -> mote("mote-" + i)).toList();
    for (int round = 0; round < 8; round++) {
      for (EndpointName name : motes) {
        measure(name, round, START + round);
      }
      recorder.step();
      nanos += Duration.ofSeconds(14).toNanos();
      recorder.step();
      assertThat(new HashSet<>(store.aggregates().positions()).size()).isGreaterThan(1);
      crash();
    }
    for (int i = 0; i < 3; i++) {
      recorder.step();
    }
    assertThat(motes)
        .allSatisfy(
            name ->
                assertThat(
                        recorder.read(name, "temp", Resolution.DAY, 0, Long.MAX_VALUE, 9).stream()
                            .mapToLong(entry -> entry.aggregate().count())
                            .sum())
                    .isEqualTo(8));
  }

  @Test
  void recoveredReadingsJoinTheirBucketsUnsigned() throws Exception {
    measure(20, START);
    recorder.step();
    writeAfterAMinute();
    recover(START + 7);
    recorder.step();
    assertThat(read(Resolution.MINUTE).stream().map(entry -> entry.series().kid()))
        .containsExactly(endpoint.jkt(), AggregateSeries.RECOVERED);
    assertThat(read(Resolution.MINUTE).stream().map(Entry::start)).containsExactly(START, START);
  }

  private void recover(long at) {
    RecoveredValue late =
        new RecoveredValue(
            "mote-1/temp", "Cel", BigDecimal.TEN, Instant.ofEpochSecond(at), 9, "fd00::1", 1);
    committed(store, plain(MOTE, new Fact(RECOVERED, KEEP, late.body())));
  }

  @Test
  void removedRecoveredReadingsLeaveTheSignedNumbers() throws Exception {
    subscription.close();
    FullDisk disk = new FullDisk(store.aggregates());
    disk.full = false;
    recorder = new AggregateRecorder(store, disk, () -> nanos);
    subscription = recorder.follow(0);
    measure(20, START);
    recover(START - Duration.ofDays(3).toSeconds());
    recorder.step();
    writeAfterAMinute();
    disk.full = true;
    committed(store, plain(MOTE, Fact.none(RECOVERED)));
    recorder.step();
    assertThat(read(Resolution.MINUTE).stream().map(Entry::start)).containsExactly(START);
    assertThat(recorder.since(MOTE, "temp"))
        .contains(Instant.ofEpochSecond(Resolution.DAY.start(START)));
    disk.full = false;
    writeAfterAMinute();
    assertThat(read(Resolution.MINUTE).stream().map(Entry::start)).containsExactly(START);
    assertThat(recorder.since(MOTE, "temp")).contains(Instant.ofEpochSecond(START));
  }

  @Test
  void aForgottenResourceLosesItsNumbersAtOnce() throws Exception {
    measure(1, START);
    recorder.step();
    writeAfterAMinute();
    measure(2, START + 60);
    committed(store, plain(MOTE, Fact.none(VALUE)));
    measure(3, START + 120);
    recorder.step();
    assertThat(read(Resolution.MINUTE).stream().map(Entry::start)).containsExactly(START + 120);
    crash();
    recorder.step();
    assertThat(read(Resolution.MINUTE).stream().map(Entry::start)).containsExactly(START + 120);
  }

  @Test
  void aFullDiskStopsTheNumbersWithoutLosingThem() throws Exception {
    subscription.close();
    FullDisk disk = new FullDisk(store.aggregates());
    recorder = new AggregateRecorder(store, disk, () -> nanos);
    subscription = recorder.follow(0);
    measureMany(1500, 60);
    recorder.step();
    recorder.step();
    assertThat(read(Resolution.MINUTE)).as("the memory is bounded").hasSize(1024);
    disk.full = false;
    nanos += Duration.ofMinutes(1).toNanos();
    recorder.step();
    recorder.step();
    assertThat(read(Resolution.MINUTE)).hasSize(1500);
    assertThat(count()).isEqualTo(1500);
  }

  @Test
  void unreadableAndImpossibleValuesAreLeftOut() throws Exception {
    committed(store, plain(MOTE, new Fact(VALUE, KEEP, new byte[] {'{', 'x', 'y'})));
    measure(1e305, START);
    measure(1, 9_999_999_999L);
    measure(2, START);
    recorder.step();
    assertThat(count()).isEqualTo(1);
  }
}
