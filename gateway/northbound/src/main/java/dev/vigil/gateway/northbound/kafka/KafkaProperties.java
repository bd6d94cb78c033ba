package dev.vigil.gateway.northbound.kafka;

import dev.vigil.gateway.northbound.events.EventFilter;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A Kafka cluster.
 *
 * @param servers {@code HOST:PORT} of one or more brokers; the client learns the others from them
 * @param topic topic for all events
 * @param tls whether connections use TLS
 * @param ca a PEM file with the authorities that may issue the brokers' certificates; empty: Java's
 *     authorities
 * @param username empty: no SASL
 * @param passwordFile a file with the password; only its owner may read the file
 * @param mechanism SASL mechanism
 * @param events which events are sent
 * @param domains names of the domains whose events are sent, {@code -} for the unnamed domain;
 *     empty: all domains and the gateway itself
 * @param replay whether a new cluster receives the events that the store already contains
 */
public record KafkaProperties(
    @DefaultValue List<String> servers,
    @DefaultValue("vigil") String topic,
    @DefaultValue("true") boolean tls,
    @DefaultValue("") String ca,
    @DefaultValue("") String username,
    @DefaultValue("") String passwordFile,
    @DefaultValue("scram-sha-512") Mechanism mechanism,
    @DefaultValue({"value", "alarm"}) List<EventFilter.Kind> events,
    @DefaultValue List<String> domains,
    @DefaultValue("false") boolean replay) {
  private static final Pattern SERVER =
      Pattern.compile("(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]):[0-9]{1,5}");

  /** Names that Kafka accepts ({@code org.apache.kafka.common.internals.Topic}). */
  private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");

  /** A SASL mechanism; {@code PLAIN} reveals the password to the broker. */
  public enum Mechanism {
    SCRAM_SHA_512,
    SCRAM_SHA_256,
    PLAIN
  }

  public KafkaProperties {
    servers = List.copyOf(servers);
    events = List.copyOf(events);
    domains = List.copyOf(domains);
  }

  /**
   * Checks settings that depend on each other.
   *
   * @param property the prefix of these settings
   */
  public void require(String property) {
    if (servers.isEmpty() || !servers.stream().allMatch(SERVER.asMatchPredicate())) {
      throw new InvalidSettingException(
          property + ".servers",
          "must name brokers such as kafka-1.example:9093, kafka-2.example:9093");
    }
    if (!TOPIC.matcher(topic).matches()) {
      throw new InvalidSettingException(
          property + ".topic", "may contain only letters, digits, dots, underscores and hyphens");
    }
    if (!ca.isEmpty() && !tls) {
      throw new InvalidSettingException(property + ".tls", "must be true when ca is set");
    }
    if (username.isEmpty() != passwordFile.isEmpty()) {
      throw new InvalidSettingException(
          property + ".username", "and password-file must be set together");
    }
    if (mechanism == Mechanism.PLAIN && !username.isEmpty() && !tls) {
      throw new InvalidSettingException(
          property + ".mechanism", "plain sends the password itself, which needs tls: true");
    }
    if (events.isEmpty()) {
      throw new InvalidSettingException(property + ".events", "must be value, alarm or both");
    }
  }

  /** The events that are sent. */
  EventFilter filter() {
    return EventFilter.of(events, domains);
  }
}
