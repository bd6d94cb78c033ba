package dev.vigil.gateway.settings;

import java.io.Serial;

/** An invalid setting. The launcher adds the file and line of the setting to the message. */
public final class InvalidSettingException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  private final String property;

  /**
   * @param property without {@code vigil.}, for instance {@code domains.plant.window}
   * @param predicate continues the sentence with the allowed and the received value
   */
  public InvalidSettingException(String property, String predicate) {
    super(property + " " + predicate);
    this.property = property;
  }

  public String property() {
    return property;
  }
}
