package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An alarm: active until somebody acknowledges it, then acknowledged, and cleared once its
 * condition is over, in whichever of the two states it is.
 *
 * @param rule id of the rule that raised it
 * @param subject what it is about
 * @param text what happened, one line
 * @param count how often it was raised; when it is raised again shortly after it was cleared, it is
 *     the same alarm
 * @param raisedAt the first time
 * @param acknowledged null: by nobody
 * @param clearedAt null: the condition lasts
 */
record Alarm(
    String rule,
    AlarmKind kind,
    Severity severity,
    Subject subject,
    String text,
    int count,
    Instant raisedAt,
    @Nullable Acknowledgement acknowledged,
    @Nullable Instant clearedAt) {

  /**
   * @param by label of the operator
   * @param note may be empty
   */
  record Acknowledgement(String by, Instant at, String note) {}

  /** A condition of a rule and a subject; there is at most one open alarm for each. */
  record Key(String rule, Subject subject) {}

  Key key() {
    return new Key(rule, subject);
  }

  boolean isCleared() {
    return clearedAt != null;
  }

  /** active, acknowledged or cleared. */
  String state() {
    return clearedAt != null ? "cleared" : acknowledged != null ? "acknowledged" : "active";
  }

  Alarm acknowledgedBy(Acknowledgement by) {
    return new Alarm(rule, kind, severity, subject, text, count, raisedAt, by, clearedAt);
  }

  Alarm cleared(Instant at) {
    return new Alarm(rule, kind, severity, subject, text, count, raisedAt, acknowledged, at);
  }

  Alarm again(String newText) {
    return new Alarm(
        rule, kind, severity, subject, newText, count + 1, raisedAt, acknowledged, null);
  }
}
