package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.conditions.Subject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Alarms that shall disturb nobody for a while: they are raised and listed, but not logged nor
 * counted as active. Members that are null fit every alarm.
 *
 * @param by label of the operator
 */
record Silence(
    @Nullable String rule,
    @Nullable String d,
    @Nullable String ep,
    Instant until,
    String by,
    String note) {

  boolean fits(Alarm alarm) {
    Subject subject = alarm.subject();
    return (rule == null || rule.equals(alarm.rule()))
        && (d == null || d.equals(subject.d()))
        && (ep == null || ep.equals(subject.ep()));
  }
}
