package dev.vigil.gateway.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GcLogTest {
  @Test
  void onlyPausesCount() {
    assertThat(
            GcLog.pauses(
                """
                [gc] Using G1
                [gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->4M(32M) 3.215ms
                [gc] GC(1) Concurrent Mark Cycle
                [gc] GC(1) Pause Remark 30M->30M(64M) 1.9ms
                [gc] GC(1) Concurrent Mark Cycle 41.700ms
                """))
        .containsExactly(3.215, 1.9);
  }
}
