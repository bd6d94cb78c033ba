package dev.vigil.gateway.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.ClusterContact;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClusterOutagesTest {
  private Duration silence = Duration.ZERO;
  private long nanos;
  private final ClusterOutages outages =
      new ClusterOutages(
          () -> new ClusterContact(silence, 0, 3, 3, Duration.ZERO).silentSeconds(), () -> nanos);

  private long after(Duration time, Duration silent) {
    nanos += time.toNanos();
    silence = silent;
    outages.sample();
    return outages.secondsWithoutContact();
  }

  @Test
  void anOutageIsReportedForTenMinutesAfterItsEnd() {
    assertThat(after(Duration.ofSeconds(5), Duration.ZERO)).isZero();
    assertThat(after(Duration.ofSeconds(5), Duration.ofSeconds(4))).isEqualTo(4);
    assertThat(after(Duration.ofSeconds(60), Duration.ofSeconds(64))).isEqualTo(64);
    assertThat(after(Duration.ofMinutes(10), Duration.ZERO)).isEqualTo(64);
    assertThat(after(Duration.ofSeconds(1), Duration.ZERO)).isZero();
  }
}
