package dev.vigil.gateway.tracing;

import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Traces of requests.
 *
 * @param otlp where a collector takes OTLP over HTTP, for instance {@code
 *     http://127.0.0.1:4318/v1/traces}; null: nothing is traced
 * @param ratio fraction of the requests that is traced, 0 to 1
 */
public record TracingProperties(@Nullable URI otlp, @DefaultValue("1") double ratio) {
  public TracingProperties {
    if (otlp != null
        && (otlp.getHost() == null
            || !("http".equals(otlp.getScheme()) || "https".equals(otlp.getScheme())))) {
      throw new InvalidSettingException(
          "tracing.otlp", "takes an address such as http://127.0.0.1:4318/v1/traces");
    }
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new InvalidSettingException("tracing.ratio", "takes a number from 0 to 1");
    }
  }
}
