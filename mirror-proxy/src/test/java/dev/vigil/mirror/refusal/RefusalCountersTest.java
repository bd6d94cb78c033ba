package dev.vigil.mirror.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalCountersTest {
  private final RefusalCounters counters = new RefusalCounters();

  @Test
  void beyondTenThousandCountersFurtherEndpointsShareOne() {
    for (int i = 0; i < 12_000; i++) {
      counters.count(Reason.BAD_SIGNATURE, "id-" + i);
    }
    assertThat(counters.all()).hasSize(10_001);
    assertThat(counters.of("id-0")).hasSize(1);
    assertThat(counters.of("id-11999")).isEmpty();
    assertThat(counters.of("").getFirst().count()).isEqualTo(2_000);
    assertThat(counters.total(Reason.BAD_SIGNATURE)).isEqualTo(12_000);
  }

  @Test
  void aRemovedEndpointGivesUpItsPlacesAndStaysInTheTotals() {
    for (int i = 0; i < 12_000; i++) {
      counters.count(Reason.BAD_SIGNATURE, "id-" + i);
      counters.count(Reason.OVERLOADED, "id-" + i);
      counters.forget("id-" + i);
    }
    assertThat(counters.all()).isEmpty();
    assertThat(counters.total(Reason.BAD_SIGNATURE)).isEqualTo(12_000);
    counters.count(Reason.BAD_SIGNATURE, "last");
    assertThat(counters.of("last")).hasSize(1);
  }
}
