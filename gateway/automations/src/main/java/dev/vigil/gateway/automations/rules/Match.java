package dev.vigil.gateway.automations.rules;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The number of conditions that must hold. */
public enum Match {
  ALL,
  ANY;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException names all
   */
  @JsonCreator
  public static Match of(String label) {
    for (Match match : values()) {
      if (match.label().equals(label)) {
        return match;
      }
    }
    throw new IllegalArgumentException("takes all or any");
  }
}
