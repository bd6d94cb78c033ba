package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.read.ResourceView;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Announces the actuators of endpoints to Home Assistant as switches, numbers and selections, and
 * publishes their states. A state comes from the resource's value or, without a value, from the
 * last command that the endpoint confirmed. The endpoint signs both. Used by the destination's
 * thread.
 */
final class HomeAssistantSwitches {
  private final MqttProperties settings;
  private final MqttTopics topics;
  private final MirrorQueries mirror;
  private final HomeAssistantDiscovery discovery;

  /** The actuators announced on this connection by endpoint and path. */
  private final Map<EndpointName, Map<String, Announced>> announced = new HashMap<>();

  /** The devices for which actuators were announced. */
  private final Map<EndpointName, String> devices = new HashMap<>();

  /**
   * The actuators by endpoint that an earlier connection may have announced. After an endpoint is
   * forgotten, the mirror no longer knows its actuators.
   */
  private final Map<EndpointName, Set<String>> former = new HashMap<>();

  /**
   * @param unit the SenML unit of the last value of a number; null for other entities, which are
   *     not announced again when the unit changes
   */
  private record Announced(HomeAssistantActuator actuator, @Nullable String unit) {
    static Announced of(HomeAssistantActuator actuator, @Nullable String unit) {
      return new Announced(actuator, actuator.isNumber() ? unit : null);
    }
  }

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
    announced.forEach((name, paths) -> former(name).addAll(paths.keySet()));
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
    Map<String, Announced> before = announced.get(name);
    if (!settings.switches(name.d())) {
      return List.of();
    }
    String device = discovery.deviceText(change.id(), name);
    boolean renamed = !device.equals(devices.put(name, device));
    if (before != null && !renamed && !change.isAbout(StoreSlots.LEASE)) {
      return List.of();
    }
    Map<String, Announced> present = present(change);
    announced.put(name, present);
    Map<String, Announced> former = before == null ? Map.of() : before;
    List<MqttMessage> messages = new ArrayList<>();
    former.keySet().stream()
        .filter(path -> !present.containsKey(path))
        .forEach(path -> messages.addAll(removals(name, path)));
    present.forEach(
        (path, one) -> {
          Announced earlier = former.get(path);
          if (earlier == null) {
            // A resource has one entity, but earlier versions announced a sensor beside the switch.
            messages.addAll(discovery.withdraw(name, path));
          }
          if (earlier == null || !earlier.actuator.equals(one.actuator)) {
            HomeAssistantActuator.COMPONENTS.stream()
                .filter(component -> !component.equals(one.actuator.component()))
                .forEach(
                    component -> messages.add(MqttMessage.removal(config(component, name, path))));
          }
          if (renamed || !one.equals(earlier)) {
            messages.add(entity(change.id(), name, path, one));
          }
        });
    return messages;
  }

  private Map<String, Announced> present(Change change) {
    String links = links(change);
    Map<String, Announced> present = new TreeMap<>();
    for (String path : actuators(change)) {
      HomeAssistantActuator actuator =
          HomeAssistantActuator.of(
              (links == null
                      ? mirror.control(change.id(), path)
                      : EndpointLinks.control(links, path))
                  .control());
      present.put(path, Announced.of(actuator, unit(change.id(), path)));
    }
    return present;
  }

  private @Nullable String unit(String id, String path) {
    return mirror.endpoint(id).stream()
        .flatMap(view -> view.resources().stream())
        .filter(resource -> resource.path().equals(path))
        .findAny()
        .map(ResourceView::unit)
        .orElse(null);
  }

  /** Whether a resource is shown as an actuator. */
  boolean isActuator(EndpointName name, String path) {
    return announced.getOrDefault(name, Map.of()).containsKey(path);
  }

  /**
   * The state of an actuator after a value of its resource, preceded by a new announcement if the
   * value has another unit; nothing for another resource.
   */
  List<MqttMessage> states(Change change, String path, ResolvedRecord last) {
    EndpointName name = change.endpoint();
    Map<String, Announced> actuators = announced.getOrDefault(name, Map.of());
    Announced known = actuators.get(path);
    if (known == null) {
      return List.of();
    }
    List<MqttMessage> messages = new ArrayList<>();
    Announced one = Announced.of(known.actuator, last.unit());
    if (!one.equals(actuators.put(path, one))) {
      messages.add(entity(change.id(), name, path, one));
    }
    known.actuator.text(last.value()).ifPresent(text -> messages.add(state(name, path, text)));
    return messages;
  }

  /** The states of switches without values, from the commands that the endpoint confirmed. */
  List<MqttMessage> states(Change change, CommandQueue queue) {
    EndpointName name = change.endpoint();
    List<String> valued = mirror.pathsWithValues(change.id());
    Map<String, String> confirmed = new TreeMap<>();
    for (CommandQueue.Command command : queue.commands()) {
      Announced one = announced.getOrDefault(name, Map.of()).get(command.path());
      if (one != null
          && command.state() == CommandView.State.CONFIRMED
          && !valued.contains(command.path())) {
        one.actuator.text(value(command)).ifPresent(text -> confirmed.put(command.path(), text));
      }
    }
    return confirmed.entrySet().stream()
        .map(one -> state(name, one.getKey(), one.getValue()))
        .toList();
  }

  private MqttMessage state(EndpointName name, String path, String text) {
    return MqttMessage.state(topics.switchState(name, path), text);
  }

  private static @Nullable SenmlValue value(CommandQueue.Command command) {
    try {
      byte[] payload = Jws.parse(command.jws().getBytes(StandardCharsets.US_ASCII)).payload();
      return SenmlPack.readJson(payload).resolve(command.queuedAt()).getLast().value();
    } catch (SignedObjectException e) {
      return null;
    }
  }

  /** The links of a registration in a change, because the mirror may apply the change later. */
  private static @Nullable String links(Change change) {
    for (Fact fact : change.facts()) {
      if (fact.slot().equals(StoreSlots.LEASE) && !fact.isNone()) {
        return Lease.read(fact.body()).links();
      }
    }
    return null;
  }

  private List<String> actuators(Change change) {
    String links = links(change);
    if (links != null) {
      return with(EndpointLinks.actuators(links), path -> EndpointLinks.contain(links, path));
    }
    Set<String> valued = new HashSet<>(mirror.pathsWithValues(change.id()));
    valued.addAll(ValueFacts.removed(change));
    return with(mirror.actuators(change.id()), valued::contains);
  }

  /** The actuators and the endpoint's resources among the paths of the settings. */
  private List<String> with(List<String> actuators, Predicate<String> has) {
    return Stream.concat(actuators.stream(), settings.switchPaths().stream().filter(has)).toList();
  }

  /** Messages that remove the actuators of an endpoint. */
  List<MqttMessage> withdraw(Change change) {
    EndpointName name = change.endpoint();
    Map<String, Announced> before = announced.remove(name);
    Set<String> all = new HashSet<>(before == null ? Set.of() : before.keySet());
    Set<String> earlier = former.remove(name);
    all.addAll(earlier == null ? Set.of() : earlier);
    if (settings.switches(name.d())) {
      all.addAll(actuators(change));
    }
    devices.remove(name);
    return all.stream().flatMap(path -> removals(name, path).stream()).toList();
  }

  private List<MqttMessage> removals(EndpointName name, String path) {
    return Stream.concat(
            HomeAssistantActuator.COMPONENTS.stream()
                .map(component -> config(component, name, path)),
            Stream.of(topics.switchState(name, path)))
        .map(MqttMessage::removal)
        .toList();
  }

  private String config(String component, EndpointName name, String path) {
    return discovery.config(component, name, topics.switching(name, path));
  }

  private MqttMessage entity(String id, EndpointName name, String path, Announced one) {
    String topic = topics.switching(name, path);
    JsonWriter json = new JsonWriter().open('{').member("name", path);
    json.member("unique_id", HomeAssistantDiscovery.id(topic)).member("command_topic", topic);
    json.member("state_topic", topics.switchState(name, path));
    one.actuator.describe(json, one.unit);
    json.member("availability_topic", topics.status());
    discovery.addDevice(json, id, name);
    return MqttMessage.json(
        config(one.actuator.component(), name, path), json.close('}').toOctets(), true);
  }
}
