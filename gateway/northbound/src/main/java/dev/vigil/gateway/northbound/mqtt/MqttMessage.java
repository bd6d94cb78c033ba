package dev.vigil.gateway.northbound.mqtt;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message to publish.
 *
 * @param payload an empty one of a retained message removes what the broker keeps
 * @param contentType null: none
 * @param seq the endpoint's sequence number, by which receivers notice repetitions; 0: none
 */
public record MqttMessage(
    String topic, byte[] payload, boolean retained, @Nullable String contentType, long seq) {
  private static final byte[] EMPTY = {};

  /** A retained text without a content type. */
  static MqttMessage state(String topic, String text) {
    return new MqttMessage(topic, text.getBytes(StandardCharsets.UTF_8), true, null, 0);
  }

  static MqttMessage json(String topic, byte[] json, boolean retained) {
    return new MqttMessage(topic, json, retained, "application/json", 0);
  }

  /** Removes the message that the broker keeps for a topic. */
  static MqttMessage removal(String topic) {
    return new MqttMessage(topic, EMPTY, true, null, 0);
  }
}
