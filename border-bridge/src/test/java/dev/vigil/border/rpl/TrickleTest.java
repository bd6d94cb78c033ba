package dev.vigil.border.rpl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrickleTest {
  /** The root's timer: Imin 4096 ms, 8 doublings, no suppression. */
  private final Trickle trickle = new Trickle(4096, 8, 0, new Random(6206), 0);

  private List<Long> run(Trickle timer, long from, long until) {
    List<Long> sent = new ArrayList<>();
    for (long now = from; now < until; now = Math.max(now + 1, timer.deadline())) {
      if (timer.tick(now)) {
        sent.add(now);
      }
    }
    return sent;
  }

  @Test
  void sendsOnceInTheSecondHalfOfEachDoublingInterval() {
    List<Long> sent = run(trickle, 0, 4096 * 511);
    assertThat(sent).hasSize(9);
    long start = 0;
    long interval = 4096;
    for (long at : sent) {
      assertThat(at).isBetween(start + interval / 2, start + interval);
      start += interval;
      interval *= 2;
    }
  }

  @Test
  void staysAtTheLongestInterval() {
    run(trickle, 0, 4096 * 511);
    assertThat(run(trickle, 4096 * 511, 4096 * (511 + 5 * 256))).hasSize(5);
  }

  @Test
  void anInconsistencyRestartsWithTheShortestInterval() {
    run(trickle, 0, 4096 * 511);
    long now = 4096 * 511;
    trickle.tick(now);
    trickle.inconsistent(now);
    assertThat(trickle.deadline()).isBetween(now + 2048, now + 4096);
  }

  @Test
  void anInconsistencyInTheShortestIntervalChangesNothing() {
    long deadline = trickle.deadline();
    trickle.inconsistent(1);
    assertThat(trickle.deadline()).isEqualTo(deadline);
  }

  @Test
  void isSilentWhenEnoughOthersWereHeard() {
    Trickle polite = new Trickle(100, 0, 2, new Random(1), 0);
    polite.consistent();
    polite.consistent();
    assertThat(run(polite, 0, 100)).isEmpty();
    assertThat(run(polite, 100, 200)).hasSize(1);
  }
}
