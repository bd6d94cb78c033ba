package dev.vigil.gateway.webpush;

import java.io.IOException;
import java.net.URI;

/** Sends messages to push services (RFC 8030). */
public interface PushService extends AutoCloseable {
  /** The outcome of a message. */
  enum Outcome {
    SENT,
    /** The subscription no longer exists. */
    GONE,
    /** The service refuses this message permanently. */
    REFUSED
  }

  /**
   * @param outcome of the message
   * @param status of the answer
   */
  record Answer(Outcome outcome, int status) {}

  /**
   * Sends a message.
   *
   * @param message at most 3993 octets
   * @param topic replaces an older message that was not delivered yet (RFC 8030 section 5.4); up to
   *     32 characters of base64url
   * @throws IOException when another attempt may succeed
   */
  Answer send(URI address, BrowserKeys browser, byte[] message, String topic, boolean urgent)
      throws IOException, InterruptedException;

  @Override
  void close();
}
