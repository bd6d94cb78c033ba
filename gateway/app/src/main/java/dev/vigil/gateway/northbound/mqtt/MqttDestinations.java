package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.gateway.command.CommandException;
import dev.vigil.gateway.command.CommanderKey;
import dev.vigil.gateway.config.MqttProperties;
import dev.vigil.gateway.config.MqttProperties.Form;
import dev.vigil.gateway.config.OwnerOnlyFile;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSource;
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

/** The brokers of the settings. */
@Component
class MqttDestinations implements DestinationSource {
  private static final String BIRTH_NUMBERS = "sparkplug-birth";

  private final List<Destination> destinations = new ArrayList<>();

  /**
   * @throws IOException begins with "cannot" and names a file of the settings
   */
  MqttDestinations(
      VigilProperties properties,
      MirrorQueries mirror,
      Store store,
      RequestDispatcher dispatcher,
      Records records,
      Clock clock)
      throws IOException {
    for (Map.Entry<String, MqttProperties> entry :
        new TreeMap<>(properties.northbound().mqtt()).entrySet()) {
      if (entry.getValue().enabled()) {
        String name = entry.getKey();
        MqttProperties settings = entry.getValue();
        destinations.add(
            settings.form() == Form.SPARKPLUG_B
                ? edgeNode(name, settings, mirror, records, clock)
                : destination(name, settings, mirror, store, dispatcher, clock));
      }
    }
  }

  private static SparkplugDestination edgeNode(
      String name, MqttProperties settings, MirrorQueries mirror, Records records, Clock clock)
      throws IOException {
    MqttConnection connection = connection(name, settings);
    return new SparkplugDestination(
        settings,
        connection,
        new SparkplugTopics(settings.prefix(), MqttTopics.escaped(clientId(name, settings))),
        mirror,
        records.of(BIRTH_NUMBERS, BirthNumber.class),
        clock);
  }

  private static MqttConnection connection(String name, MqttProperties settings)
      throws IOException {
    MqttClients clients =
        new MqttClients("northbound.mqtt." + name, clientId(name, settings), settings);
    return new MqttConnection(name, settings, clients);
  }

  private static String clientId(String name, MqttProperties settings) {
    return settings.clientId().isEmpty() ? "vigil-" + name : settings.clientId();
  }

  private static MqttDestination destination(
      String name,
      MqttProperties settings,
      MirrorQueries mirror,
      Store store,
      RequestDispatcher dispatcher,
      Clock clock)
      throws IOException {
    String property = "northbound.mqtt." + name;
    MqttTopics topics = new MqttTopics(settings.prefix());
    MqttCommands commands = new MqttCommands(topics, store, dispatcher);
    Optional<HomeAssistantDiscovery> discovery =
        settings.discovery().isEmpty()
            ? Optional.empty()
            : Optional.of(new HomeAssistantDiscovery(settings, topics, mirror));
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
        connection(name, settings),
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
          "cannot read the key in %s, which vigil.%s names: is it there, and may user %s read it?"
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
