package dev.vigil.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RadioHealthIndicatorTest {
  @Test
  void oneLostRadioDegradesAndTheLastOneEndsReadiness() {
    assertThat(code()).isEqualTo("UP");
    assertThat(code(true)).isEqualTo("UP");
    assertThat(code(true, false)).isEqualTo("DEGRADED");
    assertThat(code(false)).isEqualTo("RADIO_LOST");
    assertThat(code(false, false)).isEqualTo("RADIO_LOST");
  }

  private static String code(Boolean... up) {
    return RadioHealthIndicator.status(List.of(up)).getCode();
  }
}
