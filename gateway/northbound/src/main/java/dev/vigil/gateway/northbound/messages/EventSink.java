package dev.vigil.gateway.northbound.messages;

import java.io.IOException;

/** A destination that takes single events. Any thread may call it. */
public interface EventSink {
  /** Kind and name in the settings, for instance {@code webhook:shop}. */
  String name();

  /** Whether the settings let it receive events of a domain. */
  boolean includes(String domain);

  /**
   * Sends an event and waits for the answer.
   *
   * @return whether the receiver accepted the event; false: it refuses the event permanently
   * @throws IOException when another attempt may succeed; its message is for the operator
   */
  boolean send(OutgoingEvent event) throws IOException, InterruptedException;
}
