package dev.vigil.border.radio;

import java.io.IOException;
import java.util.OptionalInt;

/** A radio that sends and receives 802.15.4 frames: a serial board, a TCP one, or the ether. */
public interface RadioLink extends AutoCloseable {
  /** The longest PSDU without FCS that every radio takes (127 octets with FCS). */
  int MAX_PSDU = 125;

  /** A name for people: the port, the host, "ether". */
  String name();

  /**
   * Starts the link's thread. The listener hears when the radio is ready, and every frame.
   *
   * @throws IOException if the radio cannot be had at all; a radio that may come back later is
   *     waited for instead
   */
  void start(RadioListener listener) throws IOException;

  /**
   * Queues a frame for sending. The radio waits for the acknowledgement and repeats the frame where
   * its acknowledgement request bit is set.
   *
   * @param psdu MAC header and payload without FCS, at most {@link #MAX_PSDU} octets
   * @param done hears the outcome, once, on the link's thread
   * @return false if the queue is full or the radio is away; {@code done} is not called then
   */
  boolean send(byte[] psdu, TxListener done);

  /** The UDP port of the ether this link is a node of; empty for a real radio. */
  default OptionalInt etherPort() {
    return OptionalInt.empty();
  }

  /** Stops the link's thread and gives the radio back. */
  @Override
  void close();
}
