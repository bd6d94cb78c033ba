package dev.vigil.border.host;

/** Receives the datagrams of a UDP port. Called on the pipeline thread; must not block. */
@FunctionalInterface
public interface UdpReceiver {
  /**
   * Takes a datagram whose checksum was verified.
   *
   * @return false if the receiver refuses it, or its queue is full
   */
  boolean received(UdpDatagram datagram);
}
