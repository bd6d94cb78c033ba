package dev.vigil.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.cluster.StreamStatus.Newest;
import dev.vigil.gateway.cluster.StreamStatus.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SnapshotAgeTest {
  private static final Instant STARTED = Instant.parse("2026-11-26T00:00:00Z");
  private static final Instant MADE = STARTED.plus(Duration.ofHours(1));
  private static final long COVERED = 70;
  private static final Seen SNAPSHOT = new Seen(1, new Newest(COVERED, MADE, 4096));
  private final SnapshotAge age = new SnapshotAge(Duration.ofHours(6), STARTED);

  private OptionalLong old(long position, Duration passed) {
    return age.ifOld(SNAPSHOT, position, MADE.plus(passed));
  }

  @Test
  void aSnapshotIsOldAfterMoreThanThreePeriods() {
    assertThat(old(COVERED + 1, Duration.ofHours(18))).isEmpty();
    assertThat(old(COVERED + 1, Duration.ofHours(18).plusSeconds(1))).hasValue(64_801);
  }

  @Test
  void aSnapshotThatHasAllChangesIsNeverOld() {
    assertThat(old(COVERED, Duration.ofDays(30))).isEmpty();
  }

  @Test
  void withoutASnapshotTheTimeSinceTheStartCounts() {
    Seen none = new Seen(1, null);
    assertThat(age.ifOld(none, 0, STARTED.plus(Duration.ofDays(1)))).isEmpty();
    assertThat(age.ifOld(none, 1, STARTED.plus(Duration.ofHours(18)))).isEmpty();
    assertThat(age.ifOld(none, 1, STARTED.plus(Duration.ofDays(1)))).hasValue(86_400);
  }
}
