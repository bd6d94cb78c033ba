package dev.vigil.gateway.automations.evaluation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of an evaluator that must survive a restart.
 *
 * @param held which conditions held; only conditions with a hysteresis need it
 * @param since unix time in milliseconds from which everything has held; null: it does not hold
 * @param acted whether it has acted since then; it acts again only after it did not hold
 * @param runs times of the runs of the last hour and of the last run, unix time in milliseconds
 * @param suspendedAt time at which it had run too often; null: it is not suspended
 */
public record EvaluatorMemory(
    List<Boolean> held,
    @Nullable Long since,
    boolean acted,
    List<Long> runs,
    @Nullable Long suspendedAt) {
  public static final EvaluatorMemory NONE =
      new EvaluatorMemory(List.of(), null, false, List.of(), null);

  public EvaluatorMemory {
    held = List.copyOf(held);
    runs = List.copyOf(runs);
  }
}
