package dev.vigil.gateway.automations.evaluation;

import dev.vigil.gateway.automations.rules.AutomationCondition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision to act.
 *
 * @param at unix time in milliseconds
 * @param suspended true: it does not act, because it has acted too often
 * @param causes the conditions in their order
 */
public record Firing(long at, boolean suspended, List<Cause> causes) {
  public Firing {
    causes = List.copyOf(causes);
  }

  /**
   * A condition at that time.
   *
   * @param number value, change or age in seconds; null: unknown
   */
  public record Cause(
      AutomationCondition condition,
      boolean holds,
      @Nullable Double number,
      @Nullable String unit) {}
}
