package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.gateway.commanders.CommandException;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.gateway.files.OwnerOnlyFile;
import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.northbound.mqtt.MqttProperties.Form;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The brokers in the settings that receive values in Vigil's own forms or for Home Assistant. */
@Component
class MqttDestinations implements DestinationSource {
  private final List<Destination> destinations = new ArrayList<>();

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
      CommanderKey key = switchKey(property + ".switch-key-file", settings.switchKeyFile());
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

  private static CommanderKey switchKey(String property, String file) throws IOException {
    Path path = Path.of(file);
    try {
      OwnerOnlyFile.require(path);
      return CommanderKey.read(path);
    } catch (FileSystemException e) {
      throw new IOException(
          "cannot read the key in %s, which vigil.%s names: does the file exist, and may user %s read it?"
              .formatted(path, property, System.getProperty("user.name")),
          e);
    } catch (CommandException e) {
      throw new IOException(
          "cannot use the key that vigil.%s names: %s".formatted(property, e.getMessage()), e);
    }
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destinations);
  }
}
