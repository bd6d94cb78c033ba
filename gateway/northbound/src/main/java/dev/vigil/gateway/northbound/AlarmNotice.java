package dev.vigil.gateway.northbound;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of an alarm, for external systems.
 *
 * @param id of the alarm
 * @param d its domain; null: the alarm is about the gateway itself
 * @param ep its endpoint; null: none
 * @param severity info, warning or critical
 * @param state active, acknowledged or cleared
 * @param text the event in one line, in English
 * @param german the event in one line, in German
 * @param link address of the alarm's page; null: no setting names the gateway's public address
 * @param count how often the alarm was raised
 * @param raisedAt time of the first raise
 * @param json the alarm after the change, in the form of {@code /api/alarms}
 */
public record AlarmNotice(
    String id,
    @Nullable String d,
    @Nullable String ep,
    String severity,
    String state,
    String text,
    String german,
    @Nullable String link,
    int count,
    Instant raisedAt,
    String json) {}
