package dev.vigil.gateway.northbound.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.contract.StoreTesting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

  private static MqttMessages messages(MirrorQueries mirror) {
    MqttProperties settings = settings();
    MqttTopics topics = new MqttTopics(settings.prefix());
    HomeAssistantDiscovery discovery = new HomeAssistantDiscovery(settings, topics, mirror);
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
    Set<String> kept = retained(messages(mirror), StoreTesting.feed(gateway.store(), 0));
    assertThat(kept).contains("vigil/-/mote-1/value/temp");
    assertThat(kept).anySatisfy(topic -> assertThat(topic).startsWith("homeassistant/sensor/"));
    assertThat(kept).anySatisfy(topic -> assertThat(topic).startsWith("homeassistant/switch/"));

    MqttMessages reconnected = messages(mirror);
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
}
