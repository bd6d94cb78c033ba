package dev.vigil.border.host;

/** Takes what arrives at a UDP port. Called on the pipeline thread; must not block. */
@FunctionalInterface
public interface UdpReceiver {
  /**
   * A datagram whose checksum was right.
   *
   * @return false if the receiver does not want it, or has no room for it
   */
  boolean received(Datagram datagram);
}
