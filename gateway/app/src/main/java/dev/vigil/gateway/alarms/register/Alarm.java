package dev.vigil.gateway.alarms.register;

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
public record Alarm(
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
  public record Acknowledgement(String by, Instant at, String note) {}

  /** A condition of a rule and a subject; there is at most one open alarm for each. */
  public record Key(String rule, Subject subject) {}

  public Key key() {
    return new Key(rule, subject);
  }

  public boolean isCleared() {
    return clearedAt != null;
  }

  /** active, acknowledged or cleared. */
  public String state() {
    return clearedAt != null ? "cleared" : acknowledged != null ? "acknowledged" : "active";
  }

  public Alarm acknowledgedBy(Acknowledgement by) {
    return new Alarm(rule, kind, severity, subject, text, count, raisedAt, by, clearedAt);
  }

  public Alarm cleared(Instant at) {
    return new Alarm(rule, kind, severity, subject, text, count, raisedAt, acknowledged, at);
  }

  public Alarm again(String newText) {
    return new Alarm(
        rule, kind, severity, subject, newText, count + 1, raisedAt, acknowledged, null);
  }
}
