package dev.vigil.gateway.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.clock.Synchronisation;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClockSynchronisationTest {
  private Synchronisation kernel = Synchronisation.UNKNOWN;
  private long nanos = -5;
  private final ClockSynchronisation clock = new ClockSynchronisation(() -> kernel, () -> nanos);

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    clock.sample();
  }

  @Test
  void aSystemThatDoesNotReportItHasNoFigure() {
    pass(7200);
    assertThat(clock.unsynchronisedSeconds()).isEmpty();
  }

  @Test
  void aClockThatWasNeverSynchronisedCountsFromTheStart() {
    kernel = Synchronisation.LOST;
    pass(4000);
    assertThat(clock.unsynchronisedSeconds()).hasValue(4000);
  }

  @Test
  void theTimeCountsFromTheLastSampleThatWasSynchronised() {
    kernel = Synchronisation.KEPT;
    pass(100);
    assertThat(clock.unsynchronisedSeconds()).hasValue(0);
    kernel = Synchronisation.LOST;
    pass(5);
    pass(3600);
    assertThat(clock.unsynchronisedSeconds()).hasValue(3605);
    kernel = Synchronisation.KEPT;
    pass(5);
    assertThat(clock.unsynchronisedSeconds()).hasValue(0);
  }
}
