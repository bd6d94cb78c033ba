package dev.vigil.gateway.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BagciEnergyTest {
  /** 3 V; 2.4 mA of the processor, 17.4 mA of the radio; 1.4 ms a program and 8 us an octet. */
  @Test
  void eachPartOfTheWorkCostsItsCurrentForItsTime() {
    var work = new BagciEnergy.Work(10, 4, 2, 100);
    assertThat(work.computing()).isCloseTo(3 * 2.4 * 10, within(1e-9));
    assertThat(work.sending()).isCloseTo(3 * 17.4 * 4, within(1e-9));
    assertThat(work.flash(20)).isCloseTo(3 * 20 * (2 * 1.4 + 100 * 0.008), within(1e-9));
    assertThat(work.flash(0)).isZero();
    assertThat(work.microjoules(20))
        .isCloseTo(work.computing() + work.sending() + work.flash(20), within(1e-9));
  }

  @Test
  void theSavingIsAShareOfTheOtherWork() {
    var before = new BagciEnergy.Work(10, 0, 0, 0);
    assertThat(new BagciEnergy.Work(6, 0, 0, 0).savedAgainst(before, 0))
        .isCloseTo(40, within(1e-9));
    assertThat(new BagciEnergy.Work(12, 0, 0, 0).savedAgainst(before, 0)).isNegative();
  }

  @Test
  void commonWorkMakesTheSavingSmaller() {
    var before = new BagciEnergy.Work(10, 4, 2, 100);
    var after = new BagciEnergy.Work(6, 4, 2, 110);
    assertThat(after.savedAgainst(before, 20))
        .isPositive()
        .isLessThan(after.savedAgainst(before, 0));
  }
}
