package dev.vigil.gateway.metrics;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Access to the metrics.
 *
 * @param token bearer token for scrapers on other machines; empty: only scrapers on this machine
 */
public record MetricsProperties(@DefaultValue("") String token) {
  @Override
  public String toString() {
    return "MetricsProperties[token not shown]";
  }
}
