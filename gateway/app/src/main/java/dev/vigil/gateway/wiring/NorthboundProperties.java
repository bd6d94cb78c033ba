package dev.vigil.gateway.wiring;

import dev.vigil.gateway.northbound.email.EmailProperties;
import dev.vigil.gateway.northbound.influx.InfluxProperties;
import dev.vigil.gateway.northbound.kafka.KafkaProperties;
import dev.vigil.gateway.northbound.mqtt.MqttProperties;
import dev.vigil.gateway.northbound.webhook.WebhookProperties;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The systems that get the gateway's data.
 *
 * @param mqtt MQTT brokers by name
 * @param webhook HTTP servers that receive events, by name
 * @param influxdb databases that take InfluxDB line protocol, by name
 * @param kafka Kafka clusters by name
 * @param email receivers of alarms by e-mail, by name
 */
public record NorthboundProperties(
    @DefaultValue Map<String, MqttProperties> mqtt,
    @DefaultValue Map<String, WebhookProperties> webhook,
    @DefaultValue Map<String, InfluxProperties> influxdb,
    @DefaultValue Map<String, KafkaProperties> kafka,
    @DefaultValue Map<String, EmailProperties> email) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  public NorthboundProperties {
    mqtt = required("northbound.mqtt", mqtt, (name, one) -> one.require(name));
    webhook = required("northbound.webhook", webhook, (name, one) -> one.require(name));
    influxdb = required("northbound.influxdb", influxdb, (name, one) -> one.require(name));
    kafka = required("northbound.kafka", kafka, (name, one) -> one.require(name));
    email = required("northbound.email", email, (name, one) -> one.require(name));
  }

  private static <T> Map<String, T> required(
      String property, Map<String, T> named, BiConsumer<String, T> check) {
    named.forEach(
        (name, one) -> {
          if (!NAME.matcher(name).matches()) {
            throw new InvalidSettingException(
                property,
                "takes names of lower-case letters, digits and hyphens, at most 32, not \"%s\""
                    .formatted(name));
          }
          check.accept(property + "." + name, one);
        });
    return Map.copyOf(named);
  }
}
