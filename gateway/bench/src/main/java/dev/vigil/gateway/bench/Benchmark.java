package dev.vigil.gateway.bench;

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
