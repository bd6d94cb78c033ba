package dev.vigil.gateway.coap;

import dev.vigil.border.host.AssociationPrincipal;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.mirror.MirrorQueries;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.californium.elements.EndpointContext;

/**
 * Decides which source addresses count as verified. Addresses of trusted networks count on every
 * socket. Addresses that the bridge vouches for count on the radio's sockets. Loopback addresses
 * are verified, but not trusted: the kernel drops packets from other hosts that carry them (RFC
 * 4291 section 2.5.3, RFC 1122 section 3.2.1.3).
 *
 * @param networks the trusted networks
 * @param loopbackProxy whether others can send from loopback addresses
 * @param radio the addresses of the radio's sockets
 */
record SourceTrust(
    Predicate<InetAddress> networks,
    boolean loopbackProxy,
    Set<InetSocketAddress> radio,
    BridgeLifecycle network,
    MirrorQueries mirror)
    implements CoapSettings.Trust {
  @Override
  public boolean isTrusted(InetSocketAddress local, EndpointContext source) {
    return networks.test(source.getPeerAddress().getAddress())
        || radio.contains(local) && isVouchedFor(source);
  }

  @Override
  public boolean isVerified(InetSocketAddress local, EndpointContext source) {
    return !loopbackProxy && source.getPeerAddress().getAddress().isLoopbackAddress()
        || isTrusted(local, source);
  }

  /**
   * Whether the bridge vouches for a source. A mote on the radio cannot use the address of another
   * mote; on other sockets anyone can send from an address of the mesh. The bridge also vouches for
   * any host whose packet an IPsec association opened.
   */
  private boolean isVouchedFor(EndpointContext source) {
    return isAssociated(source) || network.isOfMesh(source.getPeerAddress().getAddress());
  }

  @Override
  public boolean isAssociated(EndpointContext source) {
    return source.getPeerIdentity() instanceof AssociationPrincipal;
  }

  @Override
  public OptionalLong neighbour(InetSocketAddress local, InetAddress source) {
    return radio.contains(local) ? network.neighbourOf(source) : OptionalLong.empty();
  }

  @Override
  public boolean isFamiliar(InetAddress source) {
    return mirror.isAddressOfEndpoint(SourceAddress.of(source));
  }
}
