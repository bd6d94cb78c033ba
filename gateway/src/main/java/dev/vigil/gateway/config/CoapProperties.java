package dev.vigil.gateway.config;

import java.net.InetAddress;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param addresses to listen on: literals or names; a name stands for all its addresses
 * @param port of CoAP; 0 takes a free one
 * @param securePort of CoAPS; 0 takes a free one
 * @param trustedNetworks whose source addresses count as verified, in CIDR notation; the mesh
 *     prefix always does
 * @param maxBody octets of a body at the most
 */
public record CoapProperties(
    @DefaultValue("::") List<String> addresses,
    @DefaultValue("5683") int port,
    @DefaultValue("5684") int securePort,
    @DefaultValue List<String> trustedNetworks,
    @DefaultValue("65536") int maxBody) {

  public CoapProperties {
    Check.port("coap.port", port);
    Check.port("coap.secure-port", securePort);
    Check.range("coap.max-body", maxBody, 1024, 1 << 24);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException(
          "coap.addresses is empty; name at least one, for instance \"::\" or localhost");
    }
    trustedNetworks.forEach(Network::parse);
    addresses = List.copyOf(addresses);
    trustedNetworks = List.copyOf(trustedNetworks);
  }

  /** Whether an address lies in one of the trusted networks. */
  public boolean trusts(InetAddress address) {
    return trustedNetworks.stream().map(Network::parse).anyMatch(n -> n.contains(address));
  }
}
