package dev.vigil.gateway.automations.rules;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The thing that an action sends. */
public enum ActionKind {
  /** A signed command to an endpoint. */
  COMMAND,
  /** An event to a webhook of the settings. */
  WEBHOOK,
  /** A message on a topic of a broker of the settings. */
  MQTT;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException names all kinds
   */
  @JsonCreator
  public static ActionKind of(String label) {
    for (ActionKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("takes one of command, webhook, mqtt");
  }
}
