package dev.vigil.gateway.alarms;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How urgent an alarm is. */
enum Severity {
  INFO,
  WARNING,
  CRITICAL;

  @JsonValue
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException names all severities
   */
  @JsonCreator
  static Severity of(String label) {
    for (Severity severity : values()) {
      if (severity.label().equals(label)) {
        return severity;
      }
    }
    throw new IllegalArgumentException("takes one of info, warning, critical");
  }
}
