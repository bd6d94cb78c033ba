package dev.vigil.gateway.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class KernelClockTest {
  @Test
  void theKernelReportsWhetherNtpSynchronisesItsClock() {
    assertThat(KernelClock.read()).isIn(Synchronisation.KEPT, Synchronisation.LOST);
  }
}
