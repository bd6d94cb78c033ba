package dev.vigil.gateway.config;

import java.io.Serial;

/** A setting that cannot be meant; the launcher adds the file and line where it stands. */
public final class WrongSetting extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  private final String property;

  /**
   * @param property without {@code vigil.}, for instance {@code domains.plant.window}
   * @param takes what it takes and what it got, in words that follow the name
   */
  public WrongSetting(String property, String takes) {
    super(property + " " + takes);
    this.property = property;
  }

  public String property() {
    return property;
  }
}
