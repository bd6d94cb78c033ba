package dev.vigil.gateway.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param token that a scraper from another machine brings; empty: from this machine only
 */
public record MetricsProperties(@DefaultValue("") String token) {
  @Override
  public String toString() {
    return "MetricsProperties[token not shown]";
  }
}
