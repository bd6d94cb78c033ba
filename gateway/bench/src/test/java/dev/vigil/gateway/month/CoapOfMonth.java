package dev.vigil.gateway.month;

import dev.vigil.border.host.AssociationPrincipal;
import dev.vigil.coap.message.CoapSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.eclipse.californium.elements.EndpointContext;

/** The settings of the gateway's CoAP server, whose only socket is in the mesh. */
final class CoapOfMonth {
  private static final int SHARED_WORKERS = 1;
  private static final int FEW_RETRANSMISSIONS = 1;

  /** Real time: nothing may be late in it, or be sent again. */
  private static final Duration ACKNOWLEDGEMENT = Duration.ofMinutes(1);

  private CoapOfMonth() {}

  static CoapSettings settings() {
    CoapSettings.Limits usual = CoapSettings.Limits.standard();
    return new CoapSettings(
        List.of(),
        new Trust(),
        new CoapSettings.Limits(
            SHARED_WORKERS,
            usual.maxBody(),
            usual.maxQueued(),
            usual.maxTransfers(),
            usual.maxObservers(),
            ACKNOWLEDGEMENT,
            FEW_RETRANSMISSIONS),
        CoapSettings.Multicast.NONE);
  }

  /** The mesh's addresses, whose sources the root vouches for. */
  private static final class Trust implements CoapSettings.Trust {
    @Override
    public boolean isTrusted(InetSocketAddress local, EndpointContext source) {
      return source.getPeerAddress().getAddress().getAddress()[0] == (byte) 0xfd;
    }

    @Override
    public boolean isAssociated(EndpointContext source) {
      return source.getPeerIdentity() instanceof AssociationPrincipal;
    }
  }
}
