package dev.vigil.gateway.alarms;

import dev.vigil.signed.senml.SenmlPack;
import org.jspecify.annotations.Nullable;

/**
 * When to raise an alarm.
 *
 * @param name for people
 * @param enabled whether it is evaluated
 * @param scope the endpoints and resources that it watches
 * @param limits what is too much or too little
 * @param holdSeconds how long the condition must last before the alarm is raised
 * @param clearSeconds how long the condition must be over before the alarm is cleared
 */
record AlarmRule(
    String name,
    boolean enabled,
    AlarmKind kind,
    Severity severity,
    Scope scope,
    Limits limits,
    long holdSeconds,
    long clearSeconds) {

  /**
   * @param d domain; null: all domains
   * @param ep pattern of endpoint names, in which * stands for any characters
   * @param path pattern of resource paths, likewise
   */
  record Scope(@Nullable String d, String ep, String path) {
    static final Scope ALL = new Scope(null, "*", "*");

    boolean fits(String domain, String endpoint) {
      return (d == null || d.equals(domain)) && NamePattern.matches(ep, endpoint);
    }

    boolean fitsPath(String resource) {
      return NamePattern.matches(path, resource);
    }
  }

  /**
   * @param above the alarm is raised by a greater value
   * @param below the alarm is raised by a smaller value
   * @param hysteresis how far the value must come back for the condition to be over
   * @param unit SenML unit of the records that count; null: any
   */
  record Limits(
      @Nullable Double above, @Nullable Double below, double hysteresis, @Nullable String unit) {
    static final Limits NONE = new Limits(null, null, 0, null);

    static Limits above(double limit) {
      return new Limits(limit, null, 0, null);
    }

    static Limits below(double limit) {
      return new Limits(null, limit, 0, null);
    }

    /** The limit that a value exceeds, for instance {@code above 30}. */
    String exceededBy(double value) {
      if (above != null && value > above) {
        return "above " + SenmlPack.decimal(above);
      }
      return below == null ? "above the limit" : "below " + SenmlPack.decimal(below);
    }

    /**
     * Whether a value is outside of the limits.
     *
     * @param raised whether it was before, so that it must come back by the hysteresis
     */
    boolean isExceededBy(double value, boolean raised) {
      double slack = raised ? hysteresis : 0;
      return above != null && value > above - slack || below != null && value < below + slack;
    }
  }
}
