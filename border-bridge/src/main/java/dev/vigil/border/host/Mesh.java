package dev.vigil.border.host;

import dev.vigil.border.ipv6.Ipv6Address;

/** What a connector needs of the bridge. All methods may be called from any thread. */
public interface Mesh {
  /** Hears whether a datagram was given to the radio. Called once, on the pipeline thread. */
  @FunctionalInterface
  interface Sent {
    /**
     * The datagram's fate at the sending side.
     *
     * @param error null if it is on its way, else why it is not
     */
    void done(@org.jspecify.annotations.Nullable Throwable error);
  }

  /**
   * Sends a datagram.
   *
   * @return false if the pipeline has too much to do; {@code sent} is not called then
   */
  boolean send(int sourcePort, Ipv6Address to, int port, byte[] payload, Sent sent);

  /** Listens at a UDP port of the bridge's host. */
  void bind(int port, UdpReceiver receiver);

  /** Listens no more. */
  void unbind(int port);

  /** The host's mesh address. */
  Ipv6Address address();
}
