package dev.vigil.gateway.automations.actions;

import dev.vigil.gateway.northbound.messages.EventSink;
import dev.vigil.gateway.northbound.messages.EventSinks;
import dev.vigil.gateway.northbound.messages.TopicSink;
import dev.vigil.gateway.northbound.messages.TopicSinks;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The webhooks and brokers of the settings to which automations send. */
@Component
public final class Destinations {
  private static final String WEBHOOK = "webhook:";
  private static final String BROKER = "mqtt:";
  private static final String SPARKPLUG = "spBv1.0/";

  private final List<EventSinks> events;
  private final List<TopicSinks> topics;

  public Destinations(List<EventSinks> events, List<TopicSinks> topics) {
    this.events = events;
    this.topics = topics;
  }

  /**
   * @param name in the settings
   */
  public Optional<EventSink> webhook(String name) {
    return allEvents().stream().filter(one -> one.name().equals(WEBHOOK + name)).findFirst();
  }

  /**
   * @param name in the settings
   */
  public Optional<TopicSink> broker(String name) {
    return allTopics().stream().filter(one -> one.name().equals(BROKER + name)).findFirst();
  }

  /**
   * Whether only the gateway itself publishes on a topic. The same broker may be in the settings
   * several times, so the topics of all count.
   */
  public boolean reserve(String topic) {
    return topic.startsWith(SPARKPLUG) || allTopics().stream().anyMatch(one -> one.reserves(topic));
  }

  private List<EventSink> allEvents() {
    return events.stream().flatMap(one -> one.eventSinks().stream()).toList();
  }

  private List<TopicSink> allTopics() {
    return topics.stream().flatMap(one -> one.topicSinks().stream()).toList();
  }

  /** The names of the webhooks that may receive data of a domain. */
  public List<String> webhooks(String d) {
    return allEvents().stream()
        .filter(one -> one.includes(d))
        .map(one -> one.name().substring(WEBHOOK.length()))
        .sorted()
        .toList();
  }

  /** The names of the brokers that may receive data of a domain. */
  public List<String> brokers(String d) {
    return allTopics().stream()
        .filter(one -> one.includes(d))
        .map(one -> one.name().substring(BROKER.length()))
        .sorted()
        .toList();
  }
}
