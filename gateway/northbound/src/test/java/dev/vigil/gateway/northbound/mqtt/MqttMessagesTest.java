package dev.vigil.gateway.northbound.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.contract.StoreTesting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MqttMessagesTest {
  private static final EndpointName NAME = new EndpointName("mote-1", "");

  @TempDir Path folder = Path.of("");

  private static MqttProperties settings() {
    return new MqttProperties(
        true,
        null,
        "",
        "",
        "",
        "",
        "",
        "",
        "vigil",
        MqttProperties.Form.SENML,
        "",
        List.of(),
        false,
        false,
        "homeassistant",
        "",
        List.of("-"),
        List.of(),
        Duration.ofHours(1));
  }

  private static MqttMessages messages(MirrorInMemory gateway) {
    MirrorQueries mirror = gateway.mirror().queries();
    RecordSet<EndpointLabel> labels =
        new Records(gateway.store(), gateway)
            .of(EndpointLabel.KIND, EndpointLabel.class, EndpointLabel.MAX);
    MqttProperties settings = settings();
    MqttTopics topics = new MqttTopics(settings.prefix());
    HomeAssistantDiscovery discovery = new HomeAssistantDiscovery(settings, topics, mirror, labels);
    return new MqttMessages(
        settings,
        topics,
        mirror,
        Optional.of(discovery),
        Optional.of(new HomeAssistantSwitches(settings, topics, mirror, discovery)));
  }

  private static Set<String> retained(MqttMessages messages, List<Change> changes) {
    return changes.stream()
        .filter(messages::concerns)
        .flatMap(change -> messages.of(change).stream())
        .filter(message -> message.retained() && message.payload().length > 0)
        .map(MqttMessage::topic)
        .collect(Collectors.toSet());
  }

  @Test
  void aForgottenEndpointLeavesNothingRetainedAlsoAfterAReconnection() {
    MirrorInMemory gateway = new MirrorInMemory(folder, Duration.ofSeconds(10));
    SleepyEndpoint mote = new SleepyEndpoint("mote-1");
    String id = gateway.registered(mote, "</temp>;rt=\"t\",</led>;rt=\"led\";if=\"core.a\"");
    gateway.put(id, "temp", mote.update("temp", 2, 21));
    MirrorQueries mirror = gateway.mirror().queries();
    Set<String> kept = retained(messages(gateway), StoreTesting.feed(gateway.store(), 0));
    assertThat(kept).contains("vigil/-/mote-1/value/temp");
    assertThat(kept).anySatisfy(topic -> assertThat(topic).startsWith("homeassistant/sensor/"));
    assertThat(kept).anySatisfy(topic -> assertThat(topic).startsWith("homeassistant/switch/"));

    MqttMessages reconnected = messages(gateway);
    reconnected.connected();
    long position = mirror.position();
    gateway.mirror().operations().forgetEndpoint(id, "alice").join();
    assertThat(mirror.endpoint(id)).isEmpty();

    List<MqttMessage> sent =
        StoreTesting.feed(gateway.store(), position).stream()
            .filter(change -> change.endpoint().equals(NAME))
            .filter(reconnected::concerns)
            .flatMap(change -> reconnected.of(change).stream())
            .toList();
    assertThat(sent).allSatisfy(message -> assertThat(message.payload()).isEmpty());
    assertThat(sent).extracting(MqttMessage::topic).containsAll(kept);
  }

  /** The last payload of each topic from the changes of the feed. */
  private static Map<String, String> last(MqttMessages messages, MirrorInMemory gateway) {
    Map<String, String> payloads = new HashMap<>();
    StoreTesting.feed(gateway.store(), 0).stream()
        .filter(messages::concerns)
        .flatMap(change -> messages.of(change).stream())
        .forEach(one -> payloads.put(one.topic(), new String(one.payload(), UTF_8)));
    return payloads;
  }

  @Test
  void aResourceThatTakesCommandsIsOneEntity() {
    MirrorInMemory gateway = new MirrorInMemory(folder, Duration.ofSeconds(10));
    SleepyEndpoint mote = new SleepyEndpoint("mote-1");
    String id = gateway.registered(mote, "</temp>;rt=\"t\",</led>;rt=\"led\";if=\"core.a\"");
    gateway.put(id, "led", mote.update("led", 2, 1));
    MqttMessages messages = messages(gateway);

    Map<String, String> sent = last(messages, gateway);
    assertThat(sent).containsEntry("vigil/-/mote-1/state/led", "ON");
    assertThat(sent.entrySet())
        .filteredOn(one -> one.getKey().startsWith("homeassistant/switch/"))
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.getValue())
                    .contains("\"state_topic\":\"vigil/-/mote-1/state/led\"")
                    .doesNotContain("optimistic"));
    assertThat(sent.entrySet())
        .filteredOn(one -> one.getKey().matches("homeassistant/(binary_)?sensor/.*"))
        .as("an earlier sensor of the same resource is removed")
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.getValue()).isEmpty());

    gateway.put(id, "led", mote.update("led", 3, 0));
    assertThat(last(messages, gateway)).containsEntry("vigil/-/mote-1/state/led", "OFF");
  }

  @Test
  void devicesHaveTheNamesAndPlacesThatOperatorsGave() {
    MirrorInMemory gateway = new MirrorInMemory(folder, Duration.ofSeconds(10));
    SleepyEndpoint mote = new SleepyEndpoint("mote-1");
    String id = gateway.registered(mote, "</temp>;rt=\"t\",</led>;rt=\"led\";if=\"core.a\"");
    gateway.put(id, "temp", mote.update("temp", 2, 21));
    MqttMessages messages = messages(gateway);
    assertThat(last(messages, gateway).values())
        .filteredOn(json -> json.contains("\"device\""))
        .hasSize(2)
        .allSatisfy(json -> assertThat(json).contains("\"name\":\"mote-1\""));

    new Records(gateway.store(), gateway)
        .of(EndpointLabel.KIND, EndpointLabel.class, EndpointLabel.MAX)
        .put(
            id,
            new EndpointLabel("", "mote-1", "Boiler", "Cellar"),
            OptionalLong.empty(),
            Audit.UNRECORDED)
        .join();
    gateway.put(id, "temp", mote.update("temp", 3, 22));
    assertThat(last(messages, gateway).values())
        .filteredOn(json -> json.contains("\"device\""))
        .hasSize(2)
        .allSatisfy(
            json ->
                assertThat(json)
                    .contains("\"name\":\"Boiler\"")
                    .contains("\"suggested_area\":\"Cellar\""));
  }
}
