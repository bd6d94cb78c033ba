package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Announces the actuators of endpoints to Home Assistant as switches, and publishes their states. A
 * state comes from the resource's value or, without a value, from the last command that the
 * endpoint confirmed. The endpoint signs both. Used by the destination's thread.
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

  /** The devices for which actuators were announced. */
  private final Map<EndpointName, String> devices = new HashMap<>();

  /**
   * The actuators by endpoint that an earlier connection may have announced. After an endpoint is
   * forgotten, the mirror no longer knows its actuators.
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

  /** Forgets all announcements, because the broker may be another one. */
  void connected() {
    announced.forEach((name, paths) -> former(name).addAll(paths));
    announced.clear();
    devices.clear();
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

  /** Messages that announce new actuators and remove actuators that are no longer registered. */
  List<MqttMessage> announce(Change change) {
    EndpointName name = change.endpoint();
    Set<String> before = announced.get(name);
    if (!settings.switches(name.d())) {
      return List.of();
    }
    String device = discovery.deviceText(change.id(), name);
    boolean renamed = !device.equals(devices.put(name, device));
    if (before != null && !renamed && !change.isAbout(StoreSlots.LEASE)) {
      return List.of();
    }
    Set<String> present = new HashSet<>(actuators(change));
    announced.put(name, present);
    Set<String> former = before == null ? Set.of() : before;
    List<MqttMessage> messages = new ArrayList<>();
    former.stream()
        .filter(path -> !present.contains(path))
        .forEach(path -> messages.addAll(removals(name, path)));
    for (String path : present) {
      if (!former.contains(path)) {
        // A resource has one entity, but earlier versions announced a sensor beside the switch.
        messages.addAll(discovery.withdraw(name, path));
      }
      if (renamed || !former.contains(path)) {
        messages.add(MqttMessage.json(config(name, path), entity(change.id(), name, path), true));
      }
    }
    return messages;
  }

  /** Whether a resource is shown as a switch. */
  boolean isSwitch(EndpointName name, String path) {
    return announced.getOrDefault(name, Set.of()).contains(path);
  }

  /** The state of a switch after a value of its resource; empty for another resource. */
  Optional<MqttMessage> state(EndpointName name, String path, ResolvedRecord last) {
    return isSwitch(name, path) ? isOn(last).map(on -> state(name, path, on)) : Optional.empty();
  }

  /** The states of switches without values, from the commands that the endpoint confirmed. */
  List<MqttMessage> states(Change change, CommandQueue queue) {
    EndpointName name = change.endpoint();
    List<String> valued = mirror.pathsWithValues(change.id());
    Map<String, Boolean> confirmed = new TreeMap<>();
    for (CommandQueue.Command command : queue.commands()) {
      if (command.state() == CommandView.State.CONFIRMED
          && isSwitch(name, command.path())
          && !valued.contains(command.path())) {
        isOn(command).ifPresent(on -> confirmed.put(command.path(), on));
      }
    }
    return confirmed.entrySet().stream()
        .map(one -> state(name, one.getKey(), one.getValue()))
        .toList();
  }

  private MqttMessage state(EndpointName name, String path, boolean on) {
    return MqttMessage.state(topics.switchState(name, path), on ? ON : OFF);
  }

  private static Optional<Boolean> isOn(CommandQueue.Command command) {
    try {
      byte[] payload = Jws.parse(command.jws().getBytes(StandardCharsets.US_ASCII)).payload();
      return isOn(SenmlPack.readJson(payload).resolve(command.queuedAt()).getLast());
    } catch (SignedObjectException e) {
      return Optional.empty();
    }
  }

  private static Optional<Boolean> isOn(ResolvedRecord last) {
    return switch (last.value()) {
      case SenmlValue.Number number -> Optional.of(number.value() != 0);
      case SenmlValue.Bool bool -> Optional.of(bool.value());
      case SenmlValue.Text _ -> Optional.empty();
      case SenmlValue.Data _ -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  /**
   * Reads the change itself, because the mirror may apply a change after this destination receives
   * it.
   */
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

  /** The actuators and the endpoint's resources among the paths of the settings. */
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
    devices.remove(name);
    return all.stream().flatMap(path -> removals(name, path).stream()).toList();
  }

  private List<MqttMessage> removals(EndpointName name, String path) {
    return List.of(
        MqttMessage.removal(config(name, path)),
        MqttMessage.removal(topics.switchState(name, path)));
  }

  private String config(EndpointName name, String path) {
    return discovery.config(COMPONENT, name, topics.switching(name, path));
  }

  private byte[] entity(String id, EndpointName name, String path) {
    String topic = topics.switching(name, path);
    JsonWriter json = new JsonWriter().open('{').member("name", path);
    json.member("unique_id", HomeAssistantDiscovery.id(topic)).member("command_topic", topic);
    json.member("state_topic", topics.switchState(name, path));
    json.member("payload_on", ON).member("payload_off", OFF);
    json.member("availability_topic", topics.status());
    discovery.addDevice(json, id, name);
    return json.close('}').toOctets();
  }
}
