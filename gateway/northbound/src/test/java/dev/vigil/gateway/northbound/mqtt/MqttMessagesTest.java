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
import dev.vigil.mirror.control.Control;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.contract.StoreTesting;
import java.math.BigDecimal;
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

  private static String entity(Map<String, String> sent, String component) {
    return sent.entrySet().stream()
        .filter(one -> one.getKey().startsWith("homeassistant/" + component + "/"))
        .filter(one -> !one.getValue().isEmpty())
        .map(Map.Entry::getValue)
        .collect(Collectors.joining());
  }

  @Test
  void aSwitchIsAnnouncedOnceAlthoughItsFirstValueHasAUnit() {
    MirrorInMemory gateway = new MirrorInMemory(folder, Duration.ofSeconds(10));
    SleepyEndpoint mote = new SleepyEndpoint("mote-1");
    String id = gateway.registered(mote, "</led>;if=\"core.a\"");
    MqttMessages messages = messages(gateway);
    Map<String, String> first = last(messages, gateway);
    assertThat(entity(first, "switch")).isNotEmpty();
    long position = gateway.mirror().queries().position();
    gateway.put(id, "led", mote.update("led", 2, 1));
    assertThat(
            StoreTesting.feed(gateway.store(), position).stream()
                .flatMap(change -> messages.of(change).stream())
                .map(MqttMessage::topic))
        .contains("vigil/-/mote-1/state/led")
        .noneMatch(topic -> topic.startsWith("homeassistant/"));
  }

  @Test
  void actuatorsWithLimitsOrListedValuesAreNumbersAndSelections() {
    MirrorInMemory gateway = new MirrorInMemory(folder, Duration.ofSeconds(10));
    SleepyEndpoint mote = new SleepyEndpoint("mote-1");
    String id =
        gateway.registered(
            mote,
            "</level>;if=\"core.a\";minimum=0;maximum=60,"
                + "</mode>;if=\"core.a\";enum=\"auto heat\",</fan>;if=\"core.a\";enum=\"0 1\"");
    gateway.put(id, "level", mote.update("level", 2, 21));
    MqttMessages messages = messages(gateway);

    Map<String, String> sent = last(messages, gateway);
    assertThat(entity(sent, "number"))
        .contains("\"name\":\"level\"", "\"min\":0,\"max\":60,\"step\":0.1")
        .contains("\"command_topic\":\"vigil/-/mote-1/switch/level\"")
        .doesNotContain("payload_on");
    assertThat(entity(sent, "select")).contains("\"options\":[\"auto\",\"heat\"]");
    assertThat(entity(sent, "switch")).contains("\"name\":\"fan\"").doesNotContain("level");
    assertThat(sent).containsEntry("vigil/-/mote-1/state/level", "21");
    gateway.put(id, "level", mote.update("level", 3, 61));
    assertThat(last(messages, gateway))
        .as("a value outside of its limits is no state")
        .containsEntry("vigil/-/mote-1/state/level", "21");
  }

  @Test
  void aChangedControlReplacesItsEntity() {
    MirrorInMemory gateway = new MirrorInMemory(folder, Duration.ofSeconds(10));
    SleepyEndpoint mote = new SleepyEndpoint("mote-1");
    String id = gateway.registered(mote, "</led>;if=\"core.a\"");
    MqttMessages messages = messages(gateway);
    assertThat(entity(last(messages, gateway), "switch")).contains("\"name\":\"led\"");

    assertThat(gateway.registered(mote, "</led>;if=\"core.a\";enum=\"dim bright\"", 2))
        .isEqualTo(id);
    Map<String, String> sent = last(messages, gateway);
    assertThat(entity(sent, "switch")).isEmpty();
    assertThat(entity(sent, "select")).contains("\"options\":[\"dim\",\"bright\"]");
  }

  @Test
  void textsFromHomeAssistantBecomeTheValuesOfTheControl() {
    HomeAssistantActuator level =
        HomeAssistantActuator.of(
            new Control.Quantity(BigDecimal.ZERO, BigDecimal.TEN, new BigDecimal("0.5")));
    assertThat(level.value("7.5")).contains(new SenmlValue.Number(7.5));
    assertThat(level.value("7.3")).isEmpty();
    assertThat(level.value("ON")).isEmpty();
    HomeAssistantActuator mode =
        HomeAssistantActuator.of(
            new Control.Choice(List.of(new SenmlValue.Text("auto"), new SenmlValue.Number(2))));
    assertThat(mode.value("2")).contains(new SenmlValue.Number(2));
    assertThat(mode.value("3")).isEmpty();
    assertThat(HomeAssistantActuator.of(Control.Switch.BOOLEANS).value("ON"))
        .contains(new SenmlValue.Bool(true));
    assertThat(HomeAssistantActuator.of(new Control.Unknown()).value("OFF"))
        .contains(new SenmlValue.Number(0));
    assertThat(HomeAssistantActuator.of(new Control.Unknown()).value("1")).isEmpty();
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
