package dev.vigil.gateway.northbound.mqtt;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message to publish.
 *
 * @param payload an empty payload of a retained message removes the broker's retained message
 * @param contentType null: no content type
 * @param seq the endpoint's sequence number, with which receivers detect repetitions; 0: none
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

  /** Removes the retained message of a topic. */
  static MqttMessage removal(String topic) {
    return new MqttMessage(topic, EMPTY, true, null, 0);
  }
}
