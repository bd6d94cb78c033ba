package dev.vigil.gateway.wiring;

import dev.vigil.gateway.settings.InvalidSettingException;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The log.
 *
 * @param format {@code text}, or {@code json}: an object by the Elastic Common Schema on each line
 */
public record LogProperties(@DefaultValue("text") String format) {
  public LogProperties {
    if (!format.equals("text") && !format.equals("json")) {
      throw new InvalidSettingException(
          "log.format", "is text or json, not \"%s\"".formatted(format));
    }
  }
}
