package dev.vigil.gateway.northbound.influx;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A database that accepts InfluxDB line protocol over HTTP.
 *
 * @param url the complete write address with its query, for instance {@code
 *     https://influx.example/api/v2/write?org=home&bucket=vigil}; times are nanoseconds
 * @param tokenFile a file with the token for the header {@code Authorization}; only its owner may
 *     read the file. Empty: no header is sent
 * @param ca a PEM file with the authorities that may issue the server's certificate; empty: Java's
 *     authorities
 * @param measurement name of the points
 * @param domains names of the domains whose values are written, {@code -} for the unnamed domain;
 *     empty: all domains
 * @param replay whether a new database receives the values that the store already contains
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
   * Checks settings that depend on each other.
   *
   * @param property the prefix of these settings
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
          "must be the complete write address, such as"
              + " https://influx.example/api/v2/write?org=home&bucket=vigil");
    }
    if (!ca.isEmpty() && !"https".equals(server.getScheme())) {
      throw new InvalidSettingException(
          property + ".url", "must begin with https:// when ca is set");
    }
    if (measurement.isEmpty() || measurement.chars().anyMatch(c -> c < ' ' || c == '\\')) {
      throw new InvalidSettingException(
          property + ".measurement", "must be a name without backslashes, such as vigil");
    }
  }

  /** Whether values of a domain are written. */
  public boolean includes(String domain) {
    return DomainNames.isIn(domains, domain);
  }
}
