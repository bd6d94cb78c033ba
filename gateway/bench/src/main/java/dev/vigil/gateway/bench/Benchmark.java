package dev.vigil.gateway.bench;

import dev.vigil.gateway.bench.load.Progress;
import dev.vigil.gateway.bench.load.ThreadTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Targets that are measured together, because they share a server or its state. */
interface Benchmark {
  List<Target> targets();

  /**
   * @param wanted at least one of {@link #targets}; others need not be measured
   * @throws Exception if a target cannot be measured; its message is shown
   */
  List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception;

  /** A turn of ours or of a reference. */
  interface Turn {
    double take() throws Exception;
  }

  /**
   * @param quick fewer and shorter turns, fewer endpoints
   */
  record Effort(boolean quick) {
    int of(int full, int quickly) {
      return quick ? quickly : full;
    }

    /**
     * Takes turns until the compilers take at most a twentieth of the server's processor time.
     *
     * @param label of the turns' values, with their unit
     * @param most turns, after which the measurement begins in any case
     */
    static void warmUp(String label, Process server, int most, Turn turn) throws Exception {
      double compiled = 1;
      for (int i = 0; i < most && compiled > 0.05; i++) {
        ThreadTimes before = ThreadTimes.of(server);
        double value = turn.take();
        compiled = ThreadTimes.of(server).compiledSince(before);
        Progress.say(
            "%s: %s, the compilers take %.0f %% of the time (warm-up)",
            label, Figure.number(value), 100 * compiled);
      }
    }

    /** Measures both in turns, after one turn of each that does not count. */
    Figure pairs(Target target, int count, Turn ours, Turn theirs) throws Exception {
      return new Figure(target, pairs(target.label, target.unit, count, ours, theirs));
    }

    static List<Figure.Round> pairs(String label, String unit, int count, Turn ours, Turn theirs)
        throws Exception {
      List<Figure.Round> rounds = new ArrayList<>();
      for (int i = -1; i < count; i++) {
        Figure.Round round = new Figure.Round(ours.take(), theirs.take());
        Progress.say(
            "%s: %s %s, reference %s%s",
            label,
            Figure.number(round.value()),
            unit,
            Figure.number(round.reference()),
            i < 0 ? " (warm-up)" : "");
        if (i >= 0) {
          rounds.add(round);
        }
      }
      return rounds;
    }
  }
}
