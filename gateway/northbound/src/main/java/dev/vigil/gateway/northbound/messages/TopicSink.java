package dev.vigil.gateway.northbound.messages;

import java.io.IOException;

/** A broker that takes single messages on topics. Any thread may call it. */
public interface TopicSink {
  /** Kind and name in the settings, for instance {@code mqtt:home}. */
  String name();

  /** Whether the settings let it receive messages of a domain. */
  boolean includes(String domain);

  /** Whether only the gateway itself publishes on a topic. */
  boolean reserves(String topic);

  /**
   * Publishes a message and waits for the broker's acknowledgement.
   *
   * @throws IOException when another attempt may succeed; its message is for the operator
   */
  void publish(String topic, String payload) throws IOException, InterruptedException;
}
