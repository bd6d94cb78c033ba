package dev.vigil.border.host;

/** Takes what arrives at a UDP port. Called on the pipeline thread; must not block. */
@FunctionalInterface
public interface UdpReceiver {
  /** A datagram whose checksum was right. */
  void received(Datagram datagram);
}
