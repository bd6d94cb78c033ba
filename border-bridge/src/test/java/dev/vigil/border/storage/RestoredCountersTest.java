package dev.vigil.border.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoredCountersTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void save() throws IOException {
    file = folder.resolve("counters");
    try (CounterFile counters = new CounterFile(file)) {
      counters.save(Map.of("link/a/sent", 5L, "link/a/heard/1", 9L, "rpl/version", 240L));
    }
  }

  private Map<String, Long> all() throws IOException {
    try (CounterFile counters = new CounterFile(file)) {
      return counters.loadAll("");
    }
  }

  @Test
  void sentCountersContinueAboveAnyNumberOfTwoRadios() throws IOException {
    assertThat(RestoredCounters.raise(file, Duration.ofMinutes(1))).isZero();
    assertThat(all())
        .containsOnly(
            Map.entry("link/a/sent", 5L + 60_000 + (1 << 20)),
            Map.entry("link/a/heard/1", 9L),
            Map.entry("rpl/version", 240L),
            Map.entry("restored/sent", 60_000L + (1 << 20)),
            Map.entry("restored/count", 1L));
  }

  @Test
  void aCounterThatMayBeUsedUpSendsNoMore() throws IOException {
    assertThat(RestoredCounters.raise(file, Duration.ofDays(60))).isEqualTo(1);
    assertThat(all()).containsEntry("link/a/sent", 0xffff_ffffL);
  }

  @Test
  void aBackupWithoutCountersIsMarkedAsRestored() throws IOException {
    file = folder.resolve("none");
    assertThat(RestoredCounters.raise(file, Duration.ofMinutes(1))).isZero();
    assertThat(all())
        .containsOnly(
            Map.entry("restored/sent", 60_000L + (1 << 20)), Map.entry("restored/count", 1L));
    assertThat(RestoredCounters.raise(file, Duration.ofDays(60))).isZero();
    assertThat(all())
        .containsOnly(Map.entry("restored/sent", 0xffff_ffffL), Map.entry("restored/count", 2L));
  }
}
