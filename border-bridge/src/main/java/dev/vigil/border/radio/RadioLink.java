package dev.vigil.border.radio;

import java.io.IOException;
import java.util.OptionalInt;

/**
 * A radio that sends and receives 802.15.4 frames: a serial board, a board behind TCP, or the
 * ether.
 */
public interface RadioLink extends AutoCloseable {
  /** The longest PSDU without FCS that every radio accepts (127 octets with FCS). */
  int MAX_PSDU = 125;

  /** The link's name in logs and status: the port, the host, "ether". */
  String name();

  /**
   * Starts the link's thread, which reports state changes and frames to the listener.
   *
   * @throws IOException if the radio can never be opened; if it may appear later, the link waits
   *     for it instead
   */
  void start(RadioListener listener) throws IOException;

  /**
   * Queues a frame for sending. If the frame requests an acknowledgement, the radio waits for the
   * acknowledgement and retransmits.
   *
   * @param psdu MAC header and payload without FCS, at most {@link #MAX_PSDU} octets
   * @param done receives the outcome, once, on the link's thread
   * @return false if the queue is full or the radio is down; {@code done} is not called then
   */
  boolean send(byte[] psdu, TxListener done);

  /** The UDP port of this link's ether; empty for a real radio. */
  default OptionalInt etherPort() {
    return OptionalInt.empty();
  }

  /** Stops the link's thread and closes the radio. */
  @Override
  void close();
}
