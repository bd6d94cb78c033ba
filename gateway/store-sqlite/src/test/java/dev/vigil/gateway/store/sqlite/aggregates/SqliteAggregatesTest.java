package dev.vigil.gateway.store.sqlite.aggregates;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.AggregateStore.Additions;
import dev.vigil.gateway.store.AggregateStore.AggregatedResource;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Aggregates by minute, hour and day in the store's file. */
class SqliteAggregatesTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final EndpointName OTHER = mote("mote-2");
  private static final String KID = "k".repeat(43);
  private static final long DAY = 86_400;
  private static final long START = 20_000 * DAY;

  @TempDir Path folder = Path.of("");

  private SqliteStore store;
  private AggregateStore aggregates;

  @BeforeEach
  void open() {
    store = SqliteStore.open(folder, System::nanoTime);
    aggregates = store.aggregates();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    close();
    open();
  }

  /** Registers both endpoints; only names that the store knows have aggregates. */
  private void known() {
    committed(store, numbered(MOTE, 1, fact("value/temp", 9, "a")));
    committed(store, numbered(OTHER, 1, fact("value/temp", 9, "a")));
  }

  private static AggregateSeries series(EndpointName name, String kid) {
    return new AggregateSeries(name, "temp", name.ep() + "/temp", "Cel", kid);
  }

  private static List<Long> positions(long position) {
    return Collections.nCopies(AggregateStore.PARTS, position);
  }

  private long position() {
    return Collections.min(aggregates.positions());
  }

  private void add(long position, EndpointName name, Map<Long, Aggregate> minutes) {
    aggregates
        .add(new Additions(positions(position), Set.of(), Map.of(series(name, KID), minutes)))
        .join();
  }

  /** Adds one number that another key has signed. */
  private void add(long position, String kid, long minute) {
    Map<Long, Aggregate> minutes = Map.of(minute, Aggregate.of(1, minute));
    aggregates
        .add(new Additions(positions(position), Set.of(), Map.of(series(MOTE, kid), minutes)))
        .join();
  }

  private List<Entry> read(EndpointName name, Resolution resolution) {
    return aggregates.read(name, "temp", resolution, 0, Long.MAX_VALUE, 10_000);
  }

  private static Map<Long, Aggregate> minutes(long from, int number) {
    Map<Long, Aggregate> minutes = new HashMap<>();
    for (int i = 0; i < number; i++) {
      minutes.put(from + 60L * i, Aggregate.of(i, from + 60L * i));
    }
    return minutes;
  }

  @Test
  void aNumberIsInItsMinuteHourAndDay() {
    known();
    long minute = START + 3 * 3600 + 7 * 60;
    add(7, MOTE, Map.of(minute, Aggregate.of(21.5, minute + 3)));
    assertThat(position()).isEqualTo(7);
    assertThat(read(MOTE, Resolution.MINUTE))
        .containsExactly(
            new Entry(
                series(MOTE, KID), minute, new Aggregate(1, 21.5, 21.5, 21.5, 21.5, minute + 3)));
    assertThat(read(MOTE, Resolution.HOUR).getFirst().start()).isEqualTo(START + 3 * 3600);
    assertThat(read(MOTE, Resolution.DAY).getFirst().start()).isEqualTo(START);
    assertThat(read(OTHER, Resolution.DAY)).isEmpty();
  }

  @Test
  void aLateNumberJoinsItsBucketsAndDoesNotBecomeTheLast() {
    known();
    add(1, MOTE, Map.of(START, Aggregate.of(10, START + 30)));
    add(2, MOTE, Map.of(START, Aggregate.of(4, START + 10)));
    Aggregate expected = new Aggregate(2, 14, 4, 10, 10, START + 30);
    for (Resolution resolution : Resolution.values()) {
      assertThat(read(MOTE, resolution).stream().map(Entry::aggregate))
          .as(resolution.name())
          .containsExactly(expected);
    }
  }

  @Test
  void aggregatesAndTheirPositionSurviveARestart() {
    known();
    add(5, MOTE, minutes(START, 100));
    reopen();
    assertThat(position()).isEqualTo(5);
    assertThat(read(MOTE, Resolution.MINUTE)).hasSize(100);
    assertThat(read(MOTE, Resolution.HOUR).stream().map(entry -> entry.aggregate().count()))
        .containsExactly(60L, 40L);
    assertThat(aggregates.oldest(MOTE, "temp")).hasValue(START);
  }

  @Test
  void aRemovedResourceIsGoneAtOnceAndItsRowsFollow() {
    known();
    add(5, MOTE, minutes(START, 3000));
    add(6, OTHER, minutes(START, 10));
    AggregatedResource removed = new AggregatedResource(MOTE, "temp", null);
    aggregates
        .add(
            new Additions(
                positions(7),
                Set.of(removed),
                Map.of(series(MOTE, KID), Map.of(START, Aggregate.of(1, START)))))
        .join();
    assertThat(read(MOTE, Resolution.MINUTE)).as("what came afterwards").hasSize(1);
    long before = aggregates.usedOctets();
    for (int i = 0; i < 5; i++) {
      aggregates.expire(0, 0).join();
    }
    assertThat(aggregates.usedOctets()).isLessThan(before / 2);
    assertThat(read(MOTE, Resolution.MINUTE)).hasSize(1);
    assertThat(read(OTHER, Resolution.MINUTE)).hasSize(10);
  }

  @Test
  void oldMinutesGoBeforeOldHours() {
    known();
    add(5, MOTE, minutes(START, 60));
    add(6, MOTE, minutes(START + 10 * DAY, 60));
    aggregates.expire(START + DAY, START).join();
    assertThat(read(MOTE, Resolution.MINUTE)).hasSize(60);
    assertThat(read(MOTE, Resolution.HOUR)).hasSize(2);
    assertThat(aggregates.oldest(MOTE, "temp")).as("the day is left").hasValue(START);
    aggregates.expire(START + DAY, START + DAY).join();
    assertThat(read(MOTE, Resolution.HOUR)).hasSize(1);
    assertThat(read(MOTE, Resolution.DAY)).hasSize(1);
  }

  @Test
  void oneCallDeletesABoundedNumberAndTheNextContinues() {
    known();
    add(5, MOTE, minutes(START, 3000));
    aggregates.expire(START + DAY * 9, START).join();
    assertThat(read(MOTE, Resolution.MINUTE)).hasSize(3000 - AggregateRetention.MAX_ROWS);
    aggregates.expire(START + DAY * 9, START).join();
    assertThat(read(MOTE, Resolution.MINUTE)).isEmpty();
  }

  @Test
  void theGreediestEndpointShrinksFirstAndLosesItsOldestMinutes() {
    known();
    add(5, MOTE, minutes(START, 2500));
    add(6, OTHER, minutes(START, 400));
    assertThat(aggregates.shrink().join()).isEqualTo(AggregateRetention.MAX_ROWS);
    assertThat(read(MOTE, Resolution.MINUTE).getFirst().start())
        .isEqualTo(START + 60L * AggregateRetention.MAX_ROWS);
    assertThat(aggregates.shrink().join()).isEqualTo(500);
    assertThat(read(OTHER, Resolution.MINUTE)).hasSize(400);
    assertThat(read(MOTE, Resolution.HOUR)).hasSize(42);
    assertThat(aggregates.shrink().join()).isEqualTo(400);
    assertThat(aggregates.shrink().join()).isZero();
  }

  @Test
  void numbersOfDifferentKeysStaySeparate() {
    known();
    add(1, MOTE, Map.of(START, Aggregate.of(10, START)));
    aggregates
        .add(
            new Additions(
                positions(2),
                Set.of(),
                Map.of(
                    series(MOTE, AggregateSeries.RECOVERED),
                    Map.of(START, Aggregate.of(99, START)))))
        .join();
    assertThat(read(MOTE, Resolution.MINUTE).stream().map(entry -> entry.series().kid()))
        .containsExactly(KID, AggregateSeries.RECOVERED);
  }

  @Test
  void inventedNamesDoNotFillTheDiskWithSeries() {
    known();
    for (int i = 0; i < 300; i++) {
      AggregateSeries invented = new AggregateSeries(MOTE, "temp", "name-" + i, "", KID);
      aggregates
          .add(
              new Additions(
                  positions(i + 1),
                  Set.of(),
                  Map.of(invented, Map.of(START, Aggregate.of(i, START)))))
          .join();
    }
    assertThat(read(MOTE, Resolution.MINUTE)).hasSize(256);
    assertThat(position()).isEqualTo(300);
  }

  @Test
  void aSeriesWhoseAggregatesExpiredLeavesItsPlace() {
    known();
    for (int i = 0; i < 256; i++) {
      add(i + 1, "key-" + i, START);
    }
    add(257, "next", START + 9 * DAY);
    assertThat(read(MOTE, Resolution.DAY)).as("all places are taken").hasSize(256);
    int deleted;
    do {
      deleted = aggregates.expire(START + DAY, START + DAY).join();
    } while (deleted > 0);
    add(258, "next", START + 9 * DAY);
    assertThat(read(MOTE, Resolution.MINUTE).stream().map(Entry::series))
        .containsExactly(series(MOTE, "next"));
  }

  @Test
  void anUnknownEndpointHasNone() {
    add(1, MOTE, Map.of(START, Aggregate.of(1, START)));
    assertThat(read(MOTE, Resolution.MINUTE)).isEmpty();
    assertThat(aggregates.oldest(MOTE, "temp")).isEmpty();
    assertThat(position()).isEqualTo(1);
  }
}
