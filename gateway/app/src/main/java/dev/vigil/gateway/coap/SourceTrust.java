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
 * The trust in source addresses: of the trusted networks everywhere; at the radio's sockets in
 * addresses that the bridge vouches for.
 *
 * @param networks the trusted networks
 * @param radio the addresses of the radio's sockets
 */
record SourceTrust(
    Predicate<InetAddress> networks,
    Set<InetSocketAddress> radio,
    BridgeLifecycle network,
    MirrorQueries mirror)
    implements CoapSettings.Trust {
  @Override
  public boolean isTrusted(InetSocketAddress local, EndpointContext source) {
    return networks.test(source.getPeerAddress().getAddress())
        || radio.contains(local) && isVouchedFor(source);
  }

  /**
   * Whether the bridge vouches for a source: a mote, which cannot use the address of another,
   * though on other sockets anyone can send from an address of the mesh; or any host whose packet
   * an IPsec association opened.
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
