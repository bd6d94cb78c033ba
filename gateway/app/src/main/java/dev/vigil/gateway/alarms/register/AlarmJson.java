package dev.vigil.gateway.alarms.register;

import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An alarm in JSON. Unknown members are absent.
 *
 * @param id sorts by the time of raising
 * @param rule id of the rule
 * @param state active, acknowledged or cleared
 * @param silenced whether a silence applies to it now
 * @param d domain; absent for an alarm of the gateway itself
 * @param endpoint id of the endpoint
 * @param part path of the resource, or name of the radio, destination or gateway
 * @param gateway the gateway of a cluster whose own state it is about
 * @param text what happened, one line in English
 * @param texts the same by language
 * @param count how often it was raised
 * @param changedAt time of the last change
 */
public record AlarmJson(
    String id,
    String rule,
    AlarmKind kind,
    Severity severity,
    @Schema(allowableValues = {"active", "acknowledged", "cleared"}) String state,
    boolean silenced,
    @Nullable String d,
    @Nullable String ep,
    @Nullable String endpoint,
    @Nullable String part,
    @Nullable String gateway,
    String text,
    TextsJson texts,
    int count,
    Instant raisedAt,
    Instant changedAt,
    @Nullable Instant clearedAt,
    Alarm.@Nullable Acknowledgement acknowledged) {

  /** A line in English and in German. */
  @Schema(name = "AlarmTexts")
  public record TextsJson(String en, String de) {}

  public static AlarmJson of(Versioned<Alarm> stored, boolean silenced) {
    Alarm alarm = stored.value();
    Subject subject = alarm.subject();
    return new AlarmJson(
        stored.id(),
        alarm.rule(),
        alarm.kind(),
        alarm.severity(),
        alarm.state(),
        silenced,
        subject.d(),
        subject.ep(),
        subject.endpoint(),
        subject.part(),
        subject.gateway(),
        alarm.text(),
        new TextsJson(alarm.texts().english(), alarm.texts().german()),
        alarm.count(),
        alarm.raisedAt(),
        stored.at(),
        alarm.clearedAt(),
        alarm.acknowledged());
  }
}
