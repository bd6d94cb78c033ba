package dev.vigil.gateway.alarms.rules;

import dev.vigil.gateway.alarms.conditions.RuleDefaults;
import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.kinds.AlarmKind;

/**
 * A condition under which an alarm is raised.
 *
 * @param name for people
 * @param enabled whether it is evaluated
 * @param scope the endpoints and resources that it watches
 * @param limits the limits of the watched value
 * @param holdSeconds how long the condition must last before the alarm is raised
 * @param clearSeconds how long the condition must be over before the alarm is cleared
 */
public record AlarmRule(
    String name,
    boolean enabled,
    AlarmKind kind,
    Severity severity,
    RuleScope scope,
    RuleLimits limits,
    long holdSeconds,
    long clearSeconds) {

  public static AlarmRule of(AlarmKind kind, RuleDefaults defaults) {
    return new AlarmRule(
        defaults.name(),
        true,
        kind,
        defaults.severity(),
        RuleScope.ALL,
        defaults.limits(),
        defaults.holdSeconds(),
        defaults.clearSeconds());
  }
}
