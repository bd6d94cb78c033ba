package dev.vigil.gateway.northbound.influx;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A database that takes values as InfluxDB line protocol over HTTP.
 *
 * @param url the whole address for writing, with its query, for instance {@code
 *     https://influx.example/api/v2/write?org=home&bucket=vigil}; times are nanoseconds
 * @param tokenFile a file with the token of the header {@code Authorization}; only its owner may
 *     read it. Empty: none is sent
 * @param ca a PEM file with the authorities that may have issued the server's certificate; empty:
 *     those of Java
 * @param measurement name of the points
 * @param domains names of the domains whose values are written, {@code -} for the unnamed one;
 *     empty: all
 * @param replay whether a new database gets the values that the store keeps already
 */
public record InfluxProperties(
    @Nullable URI url,
    @DefaultValue("") String tokenFile,
    @DefaultValue("") String ca,
    @DefaultValue("vigil") String measurement,
    @DefaultValue List<String> domains,
    @DefaultValue("false") boolean replay) {

  public InfluxProperties {
    domains = List.copyOf(domains);
  }

  /**
   * Checks the settings that depend on one another.
   *
   * @param property the name under which these settings stand
   */
  public void require(String property) {
    URI server = url;
    if (server == null
        || server.getHost() == null
        || !("http".equals(server.getScheme()) || "https".equals(server.getScheme()))
        || server.getRawUserInfo() != null
        || server.getRawFragment() != null
        || server.getRawPath().length() <= 1) {
      throw new InvalidSettingException(
          property + ".url",
          "takes the whole address for writing, such as"
              + " https://influx.example/api/v2/write?org=home&bucket=vigil");
    }
    if (!ca.isEmpty() && !"https".equals(server.getScheme())) {
      throw new InvalidSettingException(
          property + ".url", "must begin with https:// where authorities are set");
    }
    if (measurement.isEmpty() || measurement.chars().anyMatch(c -> c < ' ' || c == '\\')) {
      throw new InvalidSettingException(
          property + ".measurement", "takes a name without backslashes, such as vigil");
    }
  }

  /** Whether values of a domain are written. */
  public boolean includes(String domain) {
    return DomainNames.isIn(domains, domain);
  }
}
