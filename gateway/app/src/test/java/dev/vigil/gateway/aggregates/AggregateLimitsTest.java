package dev.vigil.gateway.aggregates;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.AggregateStore.Additions;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ages of aggregates, and the share of the disk. */
class AggregateLimitsTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final int MINUTES = 50_000;
  private static final Duration VALUES = Duration.ofDays(30);

  @TempDir Path folder = Path.of("");

  private final SettableClock clock = new SettableClock();

  private void fill(SqliteStore store) {
    committed(store, numbered(MOTE, 1, fact("value/temp", 1, "a")));
    long first = Resolution.MINUTE.start(clock.instant().getEpochSecond()) - 60L * MINUTES;
    Map<Long, Aggregate> minutes = new TreeMap<>();
    for (int i = 0; i < MINUTES; i++) {
      minutes.put(first + 60L * i, Aggregate.of(i, first + 60L * i));
    }
    List<Long> positions = Collections.nCopies(AggregateStore.PARTS, 1L);
    AggregateSeries series = new AggregateSeries(MOTE, "temp", "temp", "", "k");
    store.aggregates().add(new Additions(positions, Set.of(), Map.of(series, minutes))).join();
  }

  private static List<Entry> read(SqliteStore store, Resolution resolution) {
    return store.aggregates().read(MOTE, "temp", resolution, 0, Long.MAX_VALUE, 2 * MINUTES);
  }

  @Test
  void oldMinutesAreDeletedAndOldHoursStay() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      fill(store);
      HistoryProperties settings =
          new HistoryProperties(VALUES, 20, Duration.ofDays(20), Duration.ofDays(3653), 100);
      new AggregateLimits(store.aggregates(), settings, clock, () -> 1L << 40).enforce();
      assertThat(read(store, Resolution.MINUTE)).hasSize(20 * 24 * 60);
      assertThat(read(store, Resolution.HOUR).size()).isGreaterThan(MINUTES / 60);
    }
  }

  @Test
  void aFullDiskTakesMinutesEarly() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      fill(store);
      long used = store.aggregates().usedOctets();
      HistoryProperties settings =
          new HistoryProperties(VALUES, 20, Duration.ofDays(366), Duration.ofDays(3653), 50);
      AggregateLimits limits =
          new AggregateLimits(
              store.aggregates(), settings, clock, () -> used - store.aggregates().usedOctets());
      limits.enforce();
      assertThat(store.aggregates().usedOctets()).isLessThanOrEqualTo(used / 2);
      assertThat(read(store, Resolution.MINUTE)).isNotEmpty();
      assertThat(read(store, Resolution.HOUR).size()).isGreaterThan(MINUTES / 60);
    }
  }

  @Test
  void impossibleSettingsAreRefused() {
    Duration day = Duration.ofDays(1);
    for (int share : new int[] {0, 101}) {
      assertThatThrownBy(() -> new HistoryProperties(VALUES, 20, day, day, share))
          .isInstanceOf(InvalidSettingException.class);
    }
    assertThatThrownBy(() -> new HistoryProperties(VALUES, 20, Duration.ofMinutes(1), day, 25))
        .hasMessageContaining("vigil.history.minutes");
    assertThatThrownBy(() -> new HistoryProperties(VALUES, 20, day, Duration.ofHours(1), 25))
        .hasMessageContaining("vigil.history.hours");
  }
}
