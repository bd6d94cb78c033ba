package dev.vigil.border.host;

import dev.vigil.border.ipv6.Ipv6Address;
import org.jspecify.annotations.Nullable;

/** UDP on the bridge's own IPv6 host. All methods may be called from any thread. */
public interface UdpTransport {
  /** Receives the outcome of sending a datagram. Called once, on the pipeline thread. */
  @FunctionalInterface
  interface SendCallback {
    /**
     * @param error null if the datagram was passed to a radio or the host, otherwise the reason
     */
    void done(@Nullable Throwable error);
  }

  /**
   * Sends a datagram.
   *
   * @return false if the pipeline's queue is full; {@code callback} is not called then
   */
  boolean send(int sourcePort, Ipv6Address to, int port, byte[] payload, SendCallback callback);

  /** Registers the receiver of a UDP port; it replaces an earlier one. */
  void bind(int port, UdpReceiver receiver);

  void unbind(int port);

  /** The host's address in the mesh prefix. */
  Ipv6Address address();
}
