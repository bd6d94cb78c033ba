package dev.vigil.gateway.bridge;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.link.UriHosts;
import java.net.InetAddress;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Recognises the addresses of motes of the mesh. */
@Component
public class MeshAddresses {
  private final BridgeLifecycle network;

  MeshAddresses(BridgeLifecycle network) {
    this.network = network;
  }

  /**
   * @param eui64 16 hexadecimal digits; a mote makes its addresses from it (RFC 4944 section 6)
   */
  public record MeshAddress(String address, String eui64) {}

  /** Empty for an address outside of the mesh. */
  public Optional<MeshAddress> of(SourceAddress address) {
    InetAddress literal = InetAddress.ofLiteral(address.literal());
    return network.isOfMesh(literal)
        ? Optional.of(
            new MeshAddress(UriHosts.text(literal), Eui64.ofInterfaceId(address.low()).toString()))
        : Optional.empty();
  }
}
