package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.northbound.messages.TopicSink;
import dev.vigil.gateway.northbound.messages.TopicSinks;
import dev.vigil.gateway.northbound.mqtt.MqttProperties.Form;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The brokers in the settings that receive values in Vigil's own forms or for Home Assistant. */
@Component
class MqttDestinations implements DestinationSource, TopicSinks {
  private final List<MqttDestination> destinations = new ArrayList<>();

  /**
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  MqttDestinations(
      DestinationSettings<MqttProperties> brokers,
      MirrorQueries mirror,
      Store store,
      RequestDispatcher dispatcher,
      Records records,
      Clock clock)
      throws IOException {
    RecordSet<EndpointLabel> labels =
        records.of(EndpointLabel.KIND, EndpointLabel.class, EndpointLabel.MAX);
    for (Map.Entry<String, MqttProperties> entry : new TreeMap<>(brokers.byName()).entrySet()) {
      MqttProperties broker = entry.getValue();
      if (broker.enabled() && broker.form() != Form.SPARKPLUG_B) {
        destinations.add(
            destination(entry.getKey(), broker, mirror, store, dispatcher, labels, clock));
      }
    }
  }

  private static MqttDestination destination(
      String name,
      MqttProperties settings,
      MirrorQueries mirror,
      Store store,
      RequestDispatcher dispatcher,
      RecordSet<EndpointLabel> labels,
      Clock clock)
      throws IOException {
    String property = "northbound.mqtt." + name;
    MqttTopics topics = new MqttTopics(settings.prefix());
    MqttCommands commands = new MqttCommands(topics, store, dispatcher);
    Optional<HomeAssistantDiscovery> discovery =
        settings.discovery().isEmpty()
            ? Optional.empty()
            : Optional.of(new HomeAssistantDiscovery(settings, topics, mirror, labels));
    Optional<HomeAssistantSwitches> announced = Optional.empty();
    Optional<MqttSwitches> switches = Optional.empty();
    if (!settings.switchKeyFile().isEmpty()) {
      CommanderKey key =
          CommanderKey.ofSetting(property + ".switch-key-file", settings.switchKeyFile());
      announced = discovery.map(one -> new HomeAssistantSwitches(settings, topics, mirror, one));
      switches =
          Optional.of(new MqttSwitches(settings, topics, key, store, mirror, commands, clock));
    }
    return new MqttDestination(
        settings,
        MqttConnection.of(name, settings),
        topics,
        new MqttMessages(settings, topics, mirror, discovery, announced),
        commands,
        switches);
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destinations);
  }

  @Override
  public List<TopicSink> topicSinks() {
    return List.copyOf(destinations);
  }
}
