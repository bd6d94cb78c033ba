package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Announces the actuators of endpoints to Home Assistant as switches. Home Assistant shows the
 * state that it asked for, because an actuator reports none. Used by the destination's thread.
 */
final class HomeAssistantSwitches {
  static final String ON = "ON";
  static final String OFF = "OFF";
  private static final String COMPONENT = "switch";

  private final MqttProperties settings;
  private final MqttTopics topics;
  private final MirrorQueries mirror;
  private final HomeAssistantDiscovery discovery;

  /** The actuators announced on this connection by endpoint. */
  private final Map<EndpointName, Set<String>> announced = new HashMap<>();

  /**
   * The actuators by endpoint that an earlier connection may have announced. The mirror does not
   * know them any more once their endpoint is forgotten.
   */
  private final Map<EndpointName, Set<String>> former = new HashMap<>();

  HomeAssistantSwitches(
      MqttProperties settings,
      MqttTopics topics,
      MirrorQueries mirror,
      HomeAssistantDiscovery discovery) {
    this.settings = settings;
    this.topics = topics;
    this.mirror = mirror;
    this.discovery = discovery;
  }

  /** Forgets what was announced: the broker may be another one. */
  void connected() {
    announced.forEach((name, paths) -> former(name).addAll(paths));
    announced.clear();
    for (String id : mirror.registeredIds()) {
      mirror
          .presence(id)
          .filter(presence -> settings.switches(presence.d()))
          .ifPresent(
              presence ->
                  former(new EndpointName(presence.ep(), presence.d()))
                      .addAll(with(mirror.actuators(id), mirror.pathsWithValues(id)::contains)));
    }
  }

  private Set<String> former(EndpointName name) {
    return former.computeIfAbsent(name, one -> new HashSet<>());
  }

  /** Messages that announce new actuators, and remove those that are no longer registered. */
  List<MqttMessage> announce(Change change) {
    EndpointName name = change.endpoint();
    Set<String> before = announced.get(name);
    if (!settings.switches(name.d()) || before != null && !change.isAbout(StoreSlots.LEASE)) {
      return List.of();
    }
    Set<String> present = new HashSet<>(actuators(change));
    announced.put(name, present);
    Set<String> former = before == null ? Set.of() : before;
    return Stream.concat(
            former.stream()
                .filter(path -> !present.contains(path))
                .map(path -> removal(name, path)),
            present.stream()
                .filter(path -> !former.contains(path))
                .map(path -> MqttMessage.json(config(name, path), entity(name, path), true)))
        .toList();
  }

  /** The mirror may apply a change after this destination has got it. */
  private List<String> actuators(Change change) {
    for (Fact fact : change.facts()) {
      if (fact.slot().equals(StoreSlots.LEASE) && !fact.isNone()) {
        String links = Lease.read(fact.body()).links();
        return with(EndpointLinks.actuators(links), path -> EndpointLinks.contain(links, path));
      }
    }
    Set<String> valued = new HashSet<>(mirror.pathsWithValues(change.id()));
    valued.addAll(ValueFacts.removed(change));
    return with(mirror.actuators(change.id()), valued::contains);
  }

  /** Actuators, and those paths of the settings that the endpoint has. */
  private List<String> with(List<String> actuators, Predicate<String> has) {
    return Stream.concat(actuators.stream(), settings.switchPaths().stream().filter(has)).toList();
  }

  /** Messages that remove the switches of an endpoint. */
  List<MqttMessage> withdraw(Change change) {
    EndpointName name = change.endpoint();
    Set<String> before = announced.remove(name);
    Set<String> all = new HashSet<>(before == null ? Set.of() : before);
    Set<String> earlier = former.remove(name);
    all.addAll(earlier == null ? Set.of() : earlier);
    if (settings.switches(name.d())) {
      all.addAll(actuators(change));
    }
    return all.stream().map(path -> removal(name, path)).toList();
  }

  private MqttMessage removal(EndpointName name, String path) {
    return MqttMessage.removal(config(name, path));
  }

  private String config(EndpointName name, String path) {
    return discovery.config(COMPONENT, name, topics.switching(name, path));
  }

  private byte[] entity(EndpointName name, String path) {
    String topic = topics.switching(name, path);
    JsonWriter json = new JsonWriter().open('{').member("name", path);
    json.member("unique_id", HomeAssistantDiscovery.id(topic)).member("command_topic", topic);
    json.member("payload_on", ON).member("payload_off", OFF).name("optimistic").raw("true");
    json.member("availability_topic", topics.status());
    discovery.addDevice(json, name);
    return json.close('}').toOctets();
  }
}
