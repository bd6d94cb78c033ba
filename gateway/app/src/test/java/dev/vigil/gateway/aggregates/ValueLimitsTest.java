package dev.vigil.gateway.aggregates;

import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

/** Ages of signed values, and their share of the disk. */
class ValueLimitsTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final EndpointName YOUNG = new EndpointName("mote-2", "young");
  private static final Duration DAY = Duration.ofDays(1);
  private static final int DAYS = 40;
  private static final int HOURS = 24 * DAYS;

  @TempDir Path folder = Path.of("");

  private final SettableClock clock = new SettableClock();

  /** One value each hour for the last {@link #DAYS}. */
  private void fill(SqliteStore store, EndpointName name) {
    Instant first = clock.instant().minus(Duration.ofHours(HOURS));
    List<CompletableFuture<SubmitResult>> outcomes = new ArrayList<>();
    for (int i = 1; i <= HOURS; i++) {
      outcomes.add(
          store.submit(
              new Batch(
                  name,
                  first.plus(Duration.ofHours(i)),
                  OptionalLong.of(i),
                  OptionalLong.empty(),
                  List.of(lasting("value/temp", 20, "signed value " + i)))));
    }
    outcomes.forEach(CompletableFuture::join);
  }

  private static Duration reach(Store store, EndpointName name, Instant now) {
    return Duration.between(store.history(name, "value/temp", -1, 1).getFirst().at(), now);
  }

  private ValueLimits limits(SqliteStore store, HistoryProperties settings, long usable) {
    Domain usual = Domain.of("young", TrustPolicy.FIRST_USE);
    Domain young = usual.withLimits(usual.limits().withHistory(DAY.multipliedBy(7), 0));
    return new ValueLimits(
        store.olderFacts(),
        store.aggregates(),
        settings,
        Map.of("young", young),
        clock,
        () -> usable);
  }

  private static HistoryProperties settings(int share) {
    return new HistoryProperties(DAY.multipliedBy(30), share, DAY, DAY.multipliedBy(2), 100);
  }

  @Test
  void valuesGoByTheAgeOfTheirDomain() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      fill(store, MOTE);
      fill(store, YOUNG);
    }
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      ValueLimits limits = limits(store, settings(100), 1L << 40);
      assertThat(reach(store, MOTE, clock.instant())).isGreaterThan(DAY.multipliedBy(39));
      limits.enforce();
      assertThat(reach(store, MOTE, clock.instant()))
          .isBetween(DAY.multipliedBy(29), DAY.multipliedBy(31));
      assertThat(reach(store, YOUNG, clock.instant()))
          .isBetween(DAY.multipliedBy(6), DAY.multipliedBy(8));
      assertThat(limits.expired()).isPositive();
      assertThat(limits.removedEarly()).isZero();
      assertThat(new ValuesHealth(limits).health().getStatus()).isEqualTo(Status.UP);
    }
  }

  @Test
  void valuesBeyondTheirShareGoEarlyAndHealthSaysSo() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      fill(store, MOTE);
    }
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      long used = store.aggregates().usedOctets();
      ValueLimits limits = limits(store, settings(2), 0);
      limits.enforce();
      assertThat(store.olderFacts().octets()).isLessThanOrEqualTo(used / 50);
      assertThat(limits.removedEarly()).isPositive();
      assertThat(limits.octets()).isEqualTo(store.olderFacts().octets());
      assertThat(new ValuesHealth(limits).health().getStatus().getCode()).isEqualTo("DEGRADED");
      assertThat(store.history(MOTE, "value/temp", -1, HOURS).getLast().sequence())
          .isEqualTo(HOURS);
      limits.enforce();
      assertThat(new ValuesHealth(limits).health().getStatus()).isEqualTo(Status.UP);
    }
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatThrownBy(() -> settings(0))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("vigil.history.values-disk-share");
    assertThatThrownBy(() -> new HistoryProperties(DAY.negated(), 20, DAY, DAY, 25))
        .hasMessageContaining("vigil.history.values");
  }
}
