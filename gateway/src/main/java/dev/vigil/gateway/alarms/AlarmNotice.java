package dev.vigil.gateway.alarms;

import org.jspecify.annotations.Nullable;

/**
 * A change of an alarm, for systems outside.
 *
 * @param id of the alarm
 * @param d its domain; null: it is about the gateway itself
 * @param json the alarm after the change, as {@code /api/alarms} shows it
 */
public record AlarmNotice(String id, @Nullable String d, String json) {}
