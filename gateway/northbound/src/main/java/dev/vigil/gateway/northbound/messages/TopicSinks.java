package dev.vigil.gateway.northbound.messages;

import java.util.List;

/** The brokers that take single messages. */
@FunctionalInterface
public interface TopicSinks {
  List<TopicSink> topicSinks();
}
