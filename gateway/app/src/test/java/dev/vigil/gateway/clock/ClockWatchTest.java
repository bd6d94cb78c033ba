package dev.vigil.gateway.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.StoreStatistics;
import dev.vigil.gateway.testing.SettableClock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ClockWatchTest {
  private static final StoreStatistics EMPTY =
      new StoreStatistics() {
        @Override
        public Counts counts() {
          return Counts.NONE;
        }

        @Override
        public int endpoints() {
          return 0;
        }

        @Override
        public Optional<Instant> newestTime() {
          return Optional.empty();
        }

        @Override
        public long octets() {
          return 0;
        }

        @Override
        public int waiting() {
          return 0;
        }
      };

  @Test
  void aClockThatNtpNoLongerSynchronisesIsReportedOnce(CapturedOutput log) {
    Deque<Synchronisation> kernel =
        new ArrayDeque<>(
            List.of(
                Synchronisation.LOST,
                Synchronisation.KEPT,
                Synchronisation.LOST,
                Synchronisation.LOST));
    ClockWatch watch = new ClockWatch(new SettableClock(), () -> 0, EMPTY, kernel::remove);
    watch.destroy(); // Its timer would check too.
    assertThat(watch.synchronisation()).isEqualTo(Synchronisation.UNKNOWN);
    watch.check();
    assertThat(log).doesNotContain("NTP");
    watch.check();
    assertThat(log).contains("NTP synchronises the clock again");
    watch.check();
    watch.check();
    assertThat(watch.synchronisation()).isEqualTo(Synchronisation.LOST);
    assertThat(log.toString().split("NTP no longer synchronises the clock", -1)).hasSize(2);
  }
}
