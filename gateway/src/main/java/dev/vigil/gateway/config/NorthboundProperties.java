package dev.vigil.gateway.config;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The systems that get the gateway's data.
 *
 * @param mqtt MQTT brokers by name
 * @param webhook HTTP servers that are told of events, by name
 */
public record NorthboundProperties(
    @DefaultValue Map<String, MqttProperties> mqtt,
    @DefaultValue Map<String, WebhookProperties> webhook) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  public NorthboundProperties {
    requireNames("northbound.mqtt", mqtt.keySet());
    mqtt.forEach((name, broker) -> broker.require("northbound.mqtt." + name));
    mqtt = Map.copyOf(mqtt);
    requireNames("northbound.webhook", webhook.keySet());
    webhook.forEach((name, server) -> server.require("northbound.webhook." + name));
    webhook = Map.copyOf(webhook);
  }

  private static void requireNames(String property, Set<String> names) {
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new InvalidSettingException(
            property,
            "takes names of lower-case letters, digits and hyphens, at most 32, not \"%s\""
                .formatted(name));
      }
    }
  }
}
