package dev.vigil.gateway.northbound;

import java.util.Locale;

/** Severities of alarms, from the lowest. */
public enum AlarmSeverity {
  INFO,
  WARNING,
  CRITICAL;

  /** Whether an alarm is at least as severe as this. */
  public boolean includes(AlarmNotice notice) {
    return compareTo(valueOf(notice.severity().toUpperCase(Locale.ROOT))) <= 0;
  }
}
