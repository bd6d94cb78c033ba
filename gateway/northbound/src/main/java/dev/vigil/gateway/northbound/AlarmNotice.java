package dev.vigil.gateway.northbound;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of an alarm, for systems outside.
 *
 * @param id of the alarm
 * @param d its domain; null: it is about the gateway itself
 * @param ep its endpoint; null: none
 * @param severity info, warning or critical
 * @param state active, acknowledged or cleared
 * @param text what happened, one line in English
 * @param german the same in German
 * @param link address of the page about it; null: no setting names the gateway's public address
 * @param count how often it was raised
 * @param raisedAt the first time
 * @param json the alarm after the change, as {@code /api/alarms} shows it
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
