package dev.vigil.gateway.alarms.conditions;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a rule.
 *
 * @param above the alarm is raised by a greater value
 * @param below the alarm is raised by a smaller value
 * @param hysteresis how far the value must come back for the condition to be over
 * @param unit SenML unit of the records that count; null: any
 */
public record RuleLimits(
    @Nullable Double above, @Nullable Double below, double hysteresis, @Nullable String unit) {
  public static final RuleLimits NONE = new RuleLimits(null, null, 0, null);

  public static RuleLimits above(double limit) {
    return new RuleLimits(limit, null, 0, null);
  }

  public static RuleLimits below(double limit) {
    return new RuleLimits(null, limit, 0, null);
  }

  /** Whether a value that is outside of the limits exceeds the upper one. */
  public boolean isAbove(double value) {
    return below == null || above != null && value > above;
  }

  /**
   * Whether a value is outside of the limits.
   *
   * @param raised whether the value was outside before; it must then come back by the hysteresis
   */
  public boolean isExceededBy(double value, boolean raised) {
    double slack = raised ? hysteresis : 0;
    return above != null && value > above - slack || below != null && value < below + slack;
  }
}
