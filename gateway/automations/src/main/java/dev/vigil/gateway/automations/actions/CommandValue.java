package dev.vigil.gateway.automations.actions;

import dev.vigil.signed.senml.SenmlValue;
import org.jspecify.annotations.Nullable;

/** Converts the value of a command from JSON. */
public final class CommandValue {
  private CommandValue() {}

  public static SenmlValue of(@Nullable Object value) {
    return switch (value) {
      case Boolean bool -> new SenmlValue.Bool(bool);
      case Number number -> new SenmlValue.Number(number.doubleValue());
      case null, default -> new SenmlValue.Text(String.valueOf(value));
    };
  }
}
