package dev.vigil.gateway.northbound.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.EndpointName;
import org.junit.jupiter.api.Test;

class SparkplugTopicsTest {
  private final SparkplugTopics topics = new SparkplugTopics("plant", "edge");

  @Test
  void anEndpointIsADeviceOfTheNode() {
    assertThat(topics.nodeBirth()).isEqualTo("spBv1.0/plant/NBIRTH/edge");
    assertThat(topics.deviceData(new EndpointName("meter", "lab")))
        .isEqualTo("spBv1.0/plant/DDATA/edge/lab:meter");
    assertThat(topics.deviceDeath(new EndpointName("meter", "")))
        .isEqualTo("spBv1.0/plant/DDEATH/edge/meter");
  }

  @Test
  void noTwoEndpointsAreTheSameDevice() {
    assertThat(topics.deviceBirth(new EndpointName("a:b", "")))
        .isEqualTo("spBv1.0/plant/DBIRTH/edge/a%3Ab")
        .isNotEqualTo(topics.deviceBirth(new EndpointName("b", "a")));
    assertThat(topics.deviceBirth(new EndpointName("a/+#", "x")))
        .isEqualTo("spBv1.0/plant/DBIRTH/edge/x:a%2F%2B%23");
  }
}
