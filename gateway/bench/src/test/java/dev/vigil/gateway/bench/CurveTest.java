package dev.vigil.gateway.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.bench.Curve.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurveTest {
  private static final int LEAST = 1000;

  private final Curve.Collector collector = new Curve.Collector();

  private Curve curve() {
    return collector.curves(LEAST).getFirst();
  }

  private void put(Kind kind, int endpoints, double... values) {
    collector.put(
        kind, endpoints, java.util.Arrays.stream(values).mapToObj(Figure.Round::of).toList());
  }

  @Test
  void aFigureThatRisesByHalfIsStillFlat() {
    put(Kind.STATE_BYTES, 1000, 2000);
    put(Kind.STATE_BYTES, 10_000, 3000);
    assertThat(curve().line()).isEqualTo("state.bytes_per_endpoint B 2000 3000 1.50 <=1.50 met");
  }

  @Test
  void aFigureThatRisesByMoreThanHalfIsNotFlat() {
    put(Kind.STATE_BYTES, 1000, 2000);
    put(Kind.STATE_BYTES, 10_000, 3020);
    assertThat(curve().line())
        .isEqualTo("state.bytes_per_endpoint B 2000 3020 1.51 <=1.50 NOT MET");
    assertThat(curve().json()).containsEntry("flat", true).containsEntry("met", false);
  }

  /** Fixed costs make the figure of few endpoints large, and must not hide a rise after it. */
  @Test
  void aRiseCountsFromTheLowestPointBefore() {
    put(Kind.RESTART_EACH, 1000, 900);
    put(Kind.RESTART_EACH, 10_000, 100);
    put(Kind.RESTART_EACH, 100_000, 40);
    put(Kind.RESTART_EACH, 1_000_000, 80);
    assertThat(curve().rise()).isEqualTo(2);
    assertThat(curve().isMet()).isFalse();
  }

  @Test
  void aFigureThatFallsDoesNotRise() {
    put(Kind.STATE_BYTES, 1000, 3000);
    put(Kind.STATE_BYTES, 10_000, 2000);
    assertThat(curve().rise()).isEqualTo(1);
  }

  @Test
  void aFigureThatMayGrowHasNoTarget() {
    put(Kind.RESTART, 1000, 1);
    put(Kind.RESTART, 10_000, 9);
    assertThat(curve().line()).isEqualTo("restart.recover s 1.00 9.00 9.00 - -");
    assertThat(curve().isMet()).isTrue();
  }

  /** The machine becomes twice as slow while the larger directory is measured. */
  @Test
  void aFigureMeasuredInTurnsIsJudgedByTheRatiosOfThePairs() {
    collector.put(Kind.LOOKUP, 10_000, List.of(new Figure.Round(20, 20)));
    collector.put(
        Kind.LOOKUP, 100_000, List.of(new Figure.Round(48, 40), new Figure.Round(48, 40)));
    assertThat(curve().rise()).isEqualTo(1.2);
    assertThat(curve().points())
        .extracting(Curve.Point::endpoints)
        .containsExactly(1000, 10_000, 100_000);
    assertThat(curve().points().getFirst().value()).isEqualTo(40);
  }
}
