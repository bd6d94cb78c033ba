package dev.vigil.gateway.alarms.register;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An alarm. It is active until somebody acknowledges it, and then acknowledged. When its condition
 * is over it is cleared, acknowledged or not.
 *
 * @param rule id of the rule that raised it
 * @param subject what it is about
 * @param text what happened, one line in English
 * @param german the same in German; null: raised by a version without German texts
 * @param count how often it was raised; an alarm that is raised again shortly after it was cleared
 *     stays the same alarm
 * @param raisedAt when it was first raised
 * @param acknowledged null: by nobody
 * @param clearedAt null: the condition lasts
 */
public record Alarm(
    String rule,
    AlarmKind kind,
    Severity severity,
    Subject subject,
    String text,
    @Nullable String german,
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

  /** The sentence about the alarm, in each language. */
  public AlarmText texts() {
    return new AlarmText(text, german == null ? text : german);
  }

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
    return new Alarm(rule, kind, severity, subject, text, german, count, raisedAt, by, clearedAt);
  }

  public Alarm cleared(Instant at) {
    return new Alarm(
        rule, kind, severity, subject, text, german, count, raisedAt, acknowledged, at);
  }

  public Alarm again(AlarmText newText) {
    return new Alarm(
        rule,
        kind,
        severity,
        subject,
        newText.english(),
        newText.german(),
        count + 1,
        raisedAt,
        acknowledged,
        null);
  }
}
