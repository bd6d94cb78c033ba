package dev.vigil.gateway.northbound.sparkplug;

import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.northbound.mqtt.MqttConnection;
import dev.vigil.gateway.northbound.mqtt.MqttProperties;
import dev.vigil.gateway.northbound.mqtt.MqttProperties.Form;
import dev.vigil.gateway.northbound.mqtt.MqttTopics;
import dev.vigil.gateway.records.Records;
import dev.vigil.mirror.MirrorQueries;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The brokers in the settings that receive values as Sparkplug B. */
@Component
class SparkplugDestinations implements DestinationSource {
  private static final String BIRTH_NUMBERS = "sparkplug-birth";

  private final List<Destination> destinations = new ArrayList<>();

  /**
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  SparkplugDestinations(
      DestinationSettings<MqttProperties> brokers,
      MirrorQueries mirror,
      Records records,
      Clock clock)
      throws IOException {
    for (Map.Entry<String, MqttProperties> entry : new TreeMap<>(brokers.byName()).entrySet()) {
      String name = entry.getKey();
      MqttProperties settings = entry.getValue();
      if (settings.enabled() && settings.form() == Form.SPARKPLUG_B) {
        destinations.add(
            new SparkplugDestination(
                settings,
                MqttConnection.of(name, settings),
                new SparkplugTopics(
                    settings.prefix(), MqttTopics.escaped(settings.clientIdOf(name))),
                mirror,
                records.of(BIRTH_NUMBERS, BirthNumber.class),
                clock));
      }
    }
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destinations);
  }
}
