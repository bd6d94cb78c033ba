package dev.vigil.gateway.northbound;

import java.io.IOException;
import java.time.Instant;

/** Sends one message that is marked as a test. Any thread may call it. */
@FunctionalInterface
public interface Probe {
  /**
   * @param accepted whether the other side took the message
   * @param text the other side's answer in one line, without secrets
   */
  record Answer(boolean accepted, String text) {}

  /**
   * @param at time of the test
   * @throws IOException when there was no answer; its message is for the operator
   */
  Answer send(Instant at) throws IOException, InterruptedException;
}
