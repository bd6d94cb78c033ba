package dev.vigil.gateway.alarms.conditions;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How urgent an alarm is. */
public enum Severity {
  INFO,
  WARNING,
  CRITICAL;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException names all severities
   */
  @JsonCreator
  public static Severity of(String label) {
    for (Severity severity : values()) {
      if (severity.label().equals(label)) {
        return severity;
      }
    }
    throw new IllegalArgumentException("takes one of info, warning, critical");
  }
}
