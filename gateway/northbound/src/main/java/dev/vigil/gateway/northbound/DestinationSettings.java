package dev.vigil.gateway.northbound;

import java.util.Map;

/**
 * The settings of all destinations of one kind.
 *
 * @param byName settings by destination name, for instance of the MQTT brokers
 * @param <T> settings of one destination
 */
public record DestinationSettings<T>(Map<String, T> byName) {
  public DestinationSettings {
    byName = Map.copyOf(byName);
  }
}
