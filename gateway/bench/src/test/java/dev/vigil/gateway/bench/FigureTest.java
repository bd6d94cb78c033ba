package dev.vigil.gateway.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {
  /** The machine is half as fast in the second pair, which slows both in the same way. */
  @Test
  void aRatioIsTheMedianOfThePairsRatios() {
    Figure figure =
        new Figure(
            Target.INGEST_CPU,
            List.of(
                new Figure.Round(60, 50), new Figure.Round(120, 100), new Figure.Round(75, 50)));
    assertThat(figure.ratio()).isEqualTo(1.2);
    assertThat(figure.line()).isEqualTo("ingest.cpu_ratio 75.0 us 50.0 1.20 <=0.85 NOT MET");
  }

  @Test
  void aFigureWithoutReferenceIsJudgedByItsValue() {
    Figure figure = Figure.of(Target.BOOT_READY, 1501);
    assertThat(figure.line()).isEqualTo("boot.ready_ms 1501 ms - - <=1500 NOT MET");
    assertThat(figure.json()).containsEntry("reference", null).containsEntry("met", false);
  }

  @Test
  void aRateIsMetFromItsLimitUpwards() {
    assertThat(Figure.of(Target.PIPELINE, 200_000).isMet()).isTrue();
    assertThat(Figure.of(Target.PIPELINE, 199_999).isMet()).isFalse();
  }
}
