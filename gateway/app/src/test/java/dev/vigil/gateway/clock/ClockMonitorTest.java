package dev.vigil.gateway.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ClockMonitorTest {
  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");

  private Instant now = START;
  private long nanos = 77;
  private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
  private final ClockMonitor monitor = new ClockMonitor(clock, () -> nanos, null);

  private void pass(Duration time) {
    now = now.plus(time);
    nanos += time.toNanos();
  }

  @Test
  void timeThatPassesOnBothClocksIsNoJump() {
    for (int i = 0; i < 1000; i++) {
      pass(Duration.ofSeconds(10));
      now = now.plusMillis(5); // NTP slews.
      assertThat(monitor.check()).isZero();
    }
    assertThat(monitor.state()).isEqualTo(new ClockState(0, 0, Duration.ZERO, null, Duration.ZERO));
  }

  @Test
  void jumpsAheadAndBackAreCountedOnceEach() {
    pass(Duration.ofSeconds(10));
    now = now.plusSeconds(3600);
    assertThat(monitor.check()).isEqualTo(Duration.ofHours(1));
    pass(Duration.ofSeconds(10));
    assertThat(monitor.check()).isZero();
    now = now.minusSeconds(7200);
    assertThat(monitor.check()).isEqualTo(Duration.ofHours(-2));
    assertThat(monitor.state())
        .isEqualTo(new ClockState(1, 1, Duration.ofHours(-2), now, Duration.ZERO));
  }

  @Test
  void aClockBeforeStoredTimesIsBehindUntilItReachesThem() {
    ClockMonitor started = new ClockMonitor(clock, () -> nanos, START.plusSeconds(100));
    assertThat(started.state().isBehind()).isTrue();
    assertThat(started.state().behindStore()).isEqualTo(Duration.ofSeconds(100));
    pass(Duration.ofSeconds(200));
    assertThat(started.state().isBehind()).isFalse();
    assertThat(started.state().behindStore()).isZero();
  }
}
