package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.gateway.config.MqttProperties;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The brokers of the settings. */
@Component
class MqttDestinations implements DestinationSource {
  private final List<Destination> destinations = new ArrayList<>();

  /**
   * @throws IOException begins with "cannot" and names a file of the settings
   */
  MqttDestinations(
      VigilProperties properties, MirrorQueries mirror, Store store, RequestDispatcher dispatcher)
      throws IOException {
    for (Map.Entry<String, MqttProperties> entry :
        new TreeMap<>(properties.northbound().mqtt()).entrySet()) {
      String name = entry.getKey();
      MqttProperties settings = entry.getValue();
      MqttTopics topics = new MqttTopics(settings.prefix());
      Optional<HomeAssistantDiscovery> discovery =
          settings.discovery().isEmpty()
              ? Optional.empty()
              : Optional.of(new HomeAssistantDiscovery(settings, topics, mirror));
      destinations.add(
          new MqttDestination(
              name,
              settings,
              new MqttClients("northbound.mqtt." + name, "vigil-" + name, settings),
              topics,
              new MqttMessages(settings, topics, mirror, discovery),
              discovery,
              new MqttCommands(topics, store, dispatcher)));
    }
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destinations);
  }
}
