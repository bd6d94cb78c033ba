package dev.vigil.gateway.northbound.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.northbound.mqtt.MqttTopics.Resource;
import dev.vigil.store.EndpointName;
import java.util.List;
import org.junit.jupiter.api.Test;

class MqttTopicsTest {
  private final MqttTopics topics = new MqttTopics("site/vigil");

  @Test
  void namesCannotChangeTheLevelsOfATopic() {
    EndpointName odd = new EndpointName("a+b#c/d%", "x/y");
    assertThat(topics.value(odd, "t/1+2"))
        .isEqualTo("site/vigil/x%2Fy/a%2Bb%23c%2Fd%25/value/t/1%2B2");
    assertThat(topics.value(new EndpointName("Küche 1", ""), "temp"))
        .isEqualTo("site/vigil/-/Küche 1/value/temp");
  }

  @Test
  void aCommandsTopicNamesItsResource() {
    assertThat(topics.command("site/vigil/-/a%2Bb/command/led/1%2B2"))
        .contains(new Resource(new EndpointName("a+b", ""), List.of("led", "1+2")));
    assertThat(topics.command("site/vigil/plant/m/command/led"))
        .contains(new Resource(new EndpointName("m", "plant"), List.of("led")));
    assertThat(topics.answer(new Resource(new EndpointName("a+b", ""), List.of("led", "1+2"))))
        .isEqualTo("site/vigil/-/a%2Bb/answer/led/1%2B2");
  }

  @Test
  void otherTopicsAreNotCommands() {
    for (String topic :
        List.of(
            "other/-/m/command/led",
            "site/vigil",
            "site/vigil/-/m/command",
            "site/vigil/-/m/command/",
            "site/vigil/-//command/led",
            "site/vigil/-/m/value/led",
            "site/vigil/status")) {
      assertThat(topics.command(topic)).as(topic).isEmpty();
    }
  }
}
