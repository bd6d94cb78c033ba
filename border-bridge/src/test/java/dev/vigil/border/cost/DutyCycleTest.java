package dev.vigil.border.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The figures of Sethi 2012: 20 mA and 183 mA awake, 5.4 mA asleep, 5 V, 1800 mAh. */
class DutyCycleTest {
  private static final double BATTERY_JOULES = 1800 * 3.6 * 5;

  @Test
  void aMoteThatNeverSleepsTakesSixtyJoulesAMinute() {
    DutyCycle always = DutyCycle.of(5, 203, 60, 5.4, 60);
    assertThat(always.joules()).isCloseTo(60.9, within(0.05));
    assertThat(always.days(BATTERY_JOULES) * 24).isCloseTo(9, within(0.2));
  }

  @Test
  void aMoteThatWakesForASecondTakesAFewJoules() {
    DutyCycle sleepy = DutyCycle.of(5, 203, 0.987, 5.4, 60);
    assertThat(sleepy.joules()).isCloseTo(2.6, within(0.05));
    assertThat(sleepy.days(BATTERY_JOULES)).isCloseTo(8.5, within(0.25));
  }

  @Test
  void workThatIsLongerThanThePeriodLeavesNoSleep() {
    DutyCycle busy = DutyCycle.of(3, 10, 2, 1, 1);
    assertThat(busy.joules()).isCloseTo(0.06, within(1e-9));
    assertThat(busy.days(0.06) * 86_400).isCloseTo(2, within(1e-9));
  }
}
