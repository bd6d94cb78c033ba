package dev.vigil.gateway.automations.rules;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The property of a resource that a condition compares with its limits. */
public enum ConditionKind {
  /** The last number. */
  VALUE,
  /** The change of the number within a time. */
  RATE,
  /** The time since the last value arrived. */
  AGE;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException names all kinds
   */
  @JsonCreator
  public static ConditionKind of(String label) {
    for (ConditionKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("takes one of value, rate, age");
  }
}
