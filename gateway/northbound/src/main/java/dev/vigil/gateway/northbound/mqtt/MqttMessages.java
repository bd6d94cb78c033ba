package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Converts a change of the feed into messages. */
final class MqttMessages {
  private final MqttProperties settings;
  private final MqttTopics topics;
  private final MirrorQueries mirror;
  private final Optional<HomeAssistantDiscovery> discovery;
  private final Optional<HomeAssistantSwitches> switches;

  MqttMessages(
      MqttProperties settings,
      MqttTopics topics,
      MirrorQueries mirror,
      Optional<HomeAssistantDiscovery> discovery,
      Optional<HomeAssistantSwitches> switches) {
    this.settings = settings;
    this.topics = topics;
    this.mirror = mirror;
    this.discovery = discovery;
    this.switches = switches;
  }

  /** Forgets all announcements to Home Assistant, because the broker may be another one. */
  void connected() {
    discovery.ifPresent(HomeAssistantDiscovery::connected);
    switches.ifPresent(HomeAssistantSwitches::connected);
  }

  boolean concerns(Change change) {
    return !change.endpoint().isReserved()
        && settings.includes(change.endpoint().d())
        && change.facts().stream().anyMatch(MqttMessages::concerns);
  }

  private static boolean concerns(Fact fact) {
    return ValueFacts.isValue(fact)
        || switch (fact.slot()) {
          case StoreSlots.COMMANDS, StoreSlots.LEASE, StoreSlots.KEY -> true;
          default -> false;
        };
  }

  int readings(Change change) {
    return ValueFacts.count(change);
  }

  List<MqttMessage> of(Change change) {
    boolean distrusted =
        mirror.presence(change.id()).filter(presence -> !presence.trusted()).isPresent();
    List<MqttMessage> messages = new ArrayList<>();
    if (!distrusted && change.facts().stream().noneMatch(ValueFacts::isEnd)) {
      switches.ifPresent(one -> messages.addAll(one.announce(change)));
    }
    for (Fact fact : change.facts()) {
      if (ValueFacts.isValue(fact)) {
        if (!distrusted) {
          addValue(change, fact, messages);
        }
      } else if (fact.slot().equals(StoreSlots.COMMANDS) && !fact.isNone()) {
        CommandQueue queue = CommandQueue.read(fact.body());
        messages.add(commands(change.endpoint(), queue));
        switches.ifPresent(one -> messages.addAll(one.states(change, queue)));
      } else if (ValueFacts.isEnd(fact) || fact.slot().equals(StoreSlots.KEY) && distrusted) {
        addRemovals(change, messages);
      }
    }
    return messages;
  }

  private void addValue(Change change, Fact fact, List<MqttMessage> messages) {
    StoredValue value = ValueFacts.value(change, fact);
    List<ResolvedRecord> records = value.pack().resolve(value.arrived() / 1000.0);
    EndpointName name = change.endpoint();
    boolean actuator = switches.filter(one -> one.isActuator(name, value.path())).isPresent();
    discovery
        .filter(one -> !actuator)
        .flatMap(one -> one.announce(change, value.path(), records.getLast()))
        .ifPresent(messages::add);
    switches.ifPresent(one -> messages.addAll(one.states(change, value.path(), records.getLast())));
    messages.add(message(topics.value(change.endpoint(), value.path()), value, records));
  }

  private MqttMessage message(String topic, StoredValue value, List<ResolvedRecord> records) {
    return switch (settings.form()) {
      case JWS ->
          new MqttMessage(topic, value.signed(), true, value.format().mediaType(), value.seq());
      case SENML ->
          new MqttMessage(
              topic,
              SenmlPack.of(records).writeJson(),
              true,
              ContentFormat.SENML_JSON.mediaType(),
              value.seq());
      case SPARKPLUG_B -> throw new IllegalStateException("made by SparkplugSession");
      case PLAIN ->
          new MqttMessage(
              topic,
              text(records.getLast()).getBytes(StandardCharsets.UTF_8),
              true,
              ContentFormat.TEXT.mediaType(),
              value.seq());
    };
  }

  private static String text(ResolvedRecord last) {
    Double sum = last.sum();
    return last.value() == null && sum != null
        ? SenmlPack.decimal(sum)
        : SenmlPack.text(last.value());
  }

  /** The states of the commands, oldest first, without the signed objects. */
  private MqttMessage commands(EndpointName name, CommandQueue queue) {
    JsonWriter json = new JsonWriter().open('{').name("commands").open('[');
    for (CommandQueue.Command command : queue.commands()) {
      json.open('{').member("path", command.path()).member("seq", command.seq());
      json.member("by", command.commander()).member("state", command.state().label());
      json.member("queuedAt", Instant.ofEpochSecond(command.queuedAt()).toString()).close('}');
    }
    byte[] octets = json.close(']').member("last", queue.last()).close('}').toOctets();
    return MqttMessage.json(topics.commands(name), octets, true);
  }

  /** Removes all retained messages of an endpoint that ended or is no longer trusted. */
  private void addRemovals(Change change, List<MqttMessage> messages) {
    // The mirror no longer knows the resources of a forgotten endpoint, but the change does.
    Set<String> paths = new TreeSet<>(mirror.archivedPaths(change.id()));
    paths.addAll(ValueFacts.removed(change));
    for (String path : paths) {
      discovery.ifPresent(one -> messages.addAll(one.withdraw(change.endpoint(), path)));
      messages.add(MqttMessage.removal(topics.value(change.endpoint(), path)));
    }
    switches.ifPresent(one -> messages.addAll(one.withdraw(change)));
    messages.add(MqttMessage.removal(topics.commands(change.endpoint())));
  }
}
