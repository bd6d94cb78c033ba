package dev.vigil.gateway.northbound;

import java.util.Map;

/**
 * The settings of all destinations of one kind.
 *
 * @param byName for instance the MQTT brokers by name
 * @param <T> settings of one destination
 */
public record DestinationSettings<T>(Map<String, T> byName) {
  public DestinationSettings {
    byName = Map.copyOf(byName);
  }
}
