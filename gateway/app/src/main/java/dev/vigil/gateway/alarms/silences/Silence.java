package dev.vigil.gateway.alarms.silences;

import dev.vigil.gateway.alarms.conditions.Subject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Alarms that are silenced for a while: they are raised, listed and counted, but neither logged nor
 * delivered. A null member matches every alarm.
 *
 * @param by label of the operator
 */
public record Silence(
    @Nullable String rule,
    @Nullable String d,
    @Nullable String ep,
    Instant until,
    String by,
    String note) {

  /** Whether it silences an alarm of a rule. */
  public boolean fits(String ofRule, Subject subject) {
    return (rule == null || rule.equals(ofRule))
        && (d == null || d.equals(subject.d()))
        && (ep == null || ep.equals(subject.ep()));
  }
}
