package dev.vigil.coap.server;

import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.VerifiedAddresses;
import dev.vigil.coap.message.CoapSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.eclipse.californium.elements.RawData;

/**
 * Determines the source by which a datagram takes its turn, before the datagram is parsed.
 *
 * @param verified addresses that were proved by an Echo option
 * @param local the socket's address
 */
record DatagramSources(
    CoapSettings.Trust trust, VerifiedAddresses verified, Supplier<InetSocketAddress> local) {
  Source of(RawData datagram) {
    InetAddress from = datagram.getInetSocketAddress().getAddress();
    return Source.ofDatagram(from, trust.neighbour(local.get(), from));
  }

  /**
   * Whether the source is unlikely to be forged: its address cannot be, it is still among those
   * that Echo has proved, or a message from it proved its sender. To forge such an address, an
   * attacker has to know which hosts talk to this server.
   */
  boolean isFamiliar(RawData datagram) {
    InetAddress from = datagram.getInetSocketAddress().getAddress();
    return verified.contains(from)
        || trust.isFamiliar(from)
        || trust.isVerified(local.get(), datagram.getEndpointContext());
  }
}
