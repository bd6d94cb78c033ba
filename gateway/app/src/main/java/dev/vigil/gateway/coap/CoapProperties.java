package dev.vigil.gateway.coap;

import dev.vigil.gateway.coap.dtls.DtlsProperties;
import dev.vigil.gateway.settings.CidrNetwork;
import dev.vigil.gateway.settings.SettingChecks;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The CoAP and CoAPS servers.
 *
 * @param addresses to listen on: literals or names; a name means all its addresses
 * @param port of CoAP; 0: any free port
 * @param securePort of CoAPS; 0: any free port; default: 5684, or any free port if {@code port} is
 *     0
 * @param trustedNetworks networks in CIDR notation whose source addresses count as verified
 *     (docs/protocol.md section 1.3); addresses of the mesh always do
 * @param loopbackProxy whether a program on this machine forwards requests of other hosts, so that
 *     a loopback address does not identify their sender
 * @param multicast the network interfaces that join "All CoAP Nodes" and "All CoRE Resource
 *     Directories": their names; {@code auto}: all if an address is a wildcard, else none; or
 *     {@code none}. The mesh always joins
 * @param maxBody maximum octets of a body
 * @param dtls keys and certificates of CoAPS
 */
public record CoapProperties(
    @DefaultValue("::") List<String> addresses,
    @DefaultValue("5683") int port,
    @DefaultValue("-1") int securePort,
    @DefaultValue List<String> trustedNetworks,
    @DefaultValue("false") boolean loopbackProxy,
    @DefaultValue("auto") List<String> multicast,
    @DefaultValue("65536") int maxBody,
    @DefaultValue DtlsProperties dtls) {
  private static final int NOT_GIVEN = -1;
  private static final int SECURE_PORT = 5684;
  private static final String AUTO = "auto";
  private static final String NONE = "none";

  public CoapProperties {
    if (securePort == NOT_GIVEN) {
      securePort = port == 0 ? 0 : SECURE_PORT;
    }
    SettingChecks.port("coap.port", port);
    SettingChecks.port("coap.secure-port", securePort);
    SettingChecks.range("coap.max-body", maxBody, 1024, 1 << 24);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException(
          "coap.addresses is empty; name at least one, for instance \"::\" or localhost");
    }
    trustedNetworks.forEach(CidrNetwork::parse);
    if (multicast.size() > 1 && (multicast.contains(AUTO) || multicast.contains(NONE))) {
      throw new IllegalArgumentException(
          "coap.multicast takes auto, none, or names of network interfaces (ip link lists them)");
    }
    multicast = List.copyOf(multicast);
    addresses = List.copyOf(addresses);
    trustedNetworks = List.copyOf(trustedNetworks);
  }

  /** Whether {@code multicast} is {@code auto}. */
  public boolean multicastIsAuto() {
    return multicast.equals(List.of(AUTO));
  }

  /** The named interfaces; empty for {@code auto} and {@code none}. */
  public List<String> multicastInterfaces() {
    return multicastIsAuto() || multicast.equals(List.of(NONE)) ? List.of() : multicast;
  }

  /** Whether an address is in one of the trusted networks; called for every datagram. */
  public Predicate<InetAddress> trusted() {
    List<CidrNetwork> networks = trustedNetworks.stream().map(CidrNetwork::parse).toList();
    return address -> {
      for (CidrNetwork network : networks) {
        if (network.contains(address)) {
          return true;
        }
      }
      return false;
    };
  }
}
