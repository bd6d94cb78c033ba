package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.northbound.mqtt.MqttProperties.Form;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Home Assistant's discovery: a retained message for each resource, from which Home Assistant
 * creates an entity of the endpoint's device. The message precedes the first value of a connection.
 * It is repeated when the unit or kind of the value changes, or when operators rename the endpoint.
 * Used by the destination's thread.
 */
final class HomeAssistantDiscovery {
  private static final int ID_OCTETS = 8;

  private final MqttProperties settings;
  private final MqttTopics topics;
  private final MirrorQueries mirror;
  private final RecordSet<EndpointLabel> labels;

  /** The announced unit and kind of value on this connection, by topic. */
  private final Map<String, String> announced = new HashMap<>();

  HomeAssistantDiscovery(
      MqttProperties settings,
      MqttTopics topics,
      MirrorQueries mirror,
      RecordSet<EndpointLabel> labels) {
    this.settings = settings;
    this.topics = topics;
    this.mirror = mirror;
    this.labels = labels;
  }

  /** The kind of an entity that shows a value. */
  private enum Kind {
    NUMBER("sensor", "v"),
    TEXT("sensor", "vs"),
    SWITCHED("binary_sensor", "vb");

    private final String component;
    private final String member;

    Kind(String component, String member) {
      this.component = component;
      this.member = member;
    }

    /** Returns null for octets, which Home Assistant does not show. */
    static @Nullable Kind of(ResolvedRecord last) {
      return switch (last.value()) {
        case SenmlValue.Number _ -> NUMBER;
        case SenmlValue.Text _ -> TEXT;
        case SenmlValue.Bool _ -> SWITCHED;
        case SenmlValue.Data _ -> null;
        case null -> null;
      };
    }
  }

  /** Forgets all announcements, because the broker may be another one. */
  void connected() {
    announced.clear();
  }

  /**
   * The message that announces a resource; empty when the resource was already announced or cannot
   * be shown.
   */
  Optional<MqttMessage> announce(Change change, String path, ResolvedRecord last) {
    Kind kind = Kind.of(last);
    if (kind == null) {
      return Optional.empty();
    }
    EndpointName name = change.endpoint();
    String topic = topic(kind.component, name, path);
    String content = kind + " " + last.unit() + " " + device(change.id(), name);
    if (content.equals(announced.put(topic, content))) {
      return Optional.empty();
    }
    return Optional.of(MqttMessage.json(topic, config(change, path, kind, last.unit()), true));
  }

  /**
   * The messages that remove every kind of entity of a resource, because an earlier connection may
   * have announced any kind.
   */
  List<MqttMessage> withdraw(EndpointName name, String path) {
    return Stream.of(Kind.values())
        .map(kind -> topic(kind.component, name, path))
        .distinct()
        .peek(announced::remove)
        .map(MqttMessage::removal)
        .toList();
  }

  private String topic(String component, EndpointName name, String path) {
    return config(component, name, topics.value(name, path));
  }

  /**
   * The topic of an entity's configuration.
   *
   * @param the topic that identifies the entity
   */
  String config(String component, EndpointName name, String of) {
    return settings.discovery() + "/" + component + "/" + device(name) + "/" + id(of) + "/config";
  }

  private byte[] config(Change change, String path, Kind kind, @Nullable String senmlUnit) {
    EndpointName name = change.endpoint();
    JsonWriter json = new JsonWriter().open('{');
    json.member("name", path).member("unique_id", id(topics.value(name, path)));
    json.member("state_topic", topics.value(name, path));
    json.member("availability_topic", topics.status());
    if (settings.form() == Form.SENML) {
      String member = "value_json[-1]." + kind.member;
      json.member(
          "value_template", "{{ " + (kind == Kind.SWITCHED ? member + " | lower" : member) + " }}");
    }
    switch (kind) {
      case NUMBER -> addUnit(json, senmlUnit);
      case SWITCHED -> json.member("payload_on", "true").member("payload_off", "false");
      case TEXT -> {}
    }
    mirror
        .presence(change.id())
        .ifPresent(presence -> json.member("expire_after", presence.missingAfter() / 1000));
    addDevice(json, change.id(), name);
    return json.close('}').toOctets();
  }

  /** Adds the endpoint as a device, with the name and location from operators. */
  void addDevice(JsonWriter json, String id, EndpointName name) {
    Device device = device(id, name);
    json.name("device").open('{').name("identifiers").open('[').string(device(name)).close(']');
    json.member("name", device.name).member("suggested_area", device.area).close('}');
    json.name("origin").open('{').member("name", "Vigil").close('}');
  }

  private static void addUnit(JsonWriter json, @Nullable String senmlUnit) {
    if (senmlUnit == null) {
      json.member("state_class", "measurement");
      return;
    }
    HomeAssistantUnit unit = HomeAssistantUnit.of(senmlUnit);
    json.member("device_class", unit.deviceClass())
        .member("unit_of_measurement", unit.symbol())
        .member("state_class", unit.stateClass());
  }

  private record Device(String name, @Nullable String area) {}

  private Device device(String id, EndpointName name) {
    EndpointLabel label = labels.get(id).map(Versioned::value).orElse(null);
    return label == null
        ? new Device(name.ep(), null)
        : new Device(label.name() == null ? name.ep() : label.name(), label.location());
  }

  /** The name and location of an endpoint's device, for detecting changes. */
  String deviceText(String id, EndpointName name) {
    return device(id, name).toString();
  }

  /** The device id. It depends only on endpoint and prefix, not on the publishing gateway. */
  private String device(EndpointName name) {
    return id(topics.commands(name));
  }

  static String id(String topic) {
    byte[] digest = Jwk.sha256(topic.getBytes(StandardCharsets.UTF_8));
    return "vigil_" + HexFormat.of().formatHex(digest, 0, ID_OCTETS);
  }
}
