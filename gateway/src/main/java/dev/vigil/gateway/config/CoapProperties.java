package dev.vigil.gateway.config;

import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param addresses to listen on: literals or names; a name stands for all its addresses
 * @param port of CoAP; 0 takes a free one
 * @param securePort of CoAPS; 0 takes a free one; not given: 5684, or a free one where that of CoAP
 *     is one
 * @param trustedNetworks whose source addresses count as verified, in CIDR notation; what comes
 *     over the radio always does
 * @param multicast the network interfaces on which to hear "All CoAP Nodes" and "All CoRE Resource
 *     Directories": their names; {@code auto}, which is all when an address is a wildcard, else
 *     none; or {@code none}. The mesh is always heard
 * @param maxBody octets of a body at the most
 * @param dtls whose keys CoAPS knows
 */
public record CoapProperties(
    @DefaultValue("::") List<String> addresses,
    @DefaultValue("5683") int port,
    @DefaultValue("-1") int securePort,
    @DefaultValue List<String> trustedNetworks,
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
    Check.port("coap.port", port);
    Check.port("coap.secure-port", securePort);
    Check.range("coap.max-body", maxBody, 1024, 1 << 24);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException(
          "coap.addresses is empty; name at least one, for instance \"::\" or localhost");
    }
    trustedNetworks.forEach(Network::parse);
    if (multicast.size() > 1 && (multicast.contains(AUTO) || multicast.contains(NONE))) {
      throw new IllegalArgumentException(
          "coap.multicast takes auto, none, or names of network interfaces (ip link lists them)");
    }
    multicast = List.copyOf(multicast);
    addresses = List.copyOf(addresses);
    trustedNetworks = List.copyOf(trustedNetworks);
  }

  /** Whether every interface that can is to hear groups, if we listen everywhere. */
  public boolean multicastWhereverWeListen() {
    return multicast.equals(List.of(AUTO));
  }

  /** The interfaces that were named. */
  public List<String> multicastInterfaces() {
    return multicastWhereverWeListen() || multicast.equals(List.of(NONE)) ? List.of() : multicast;
  }

  /** Whether an address lies in one of the trusted networks; asked for every datagram. */
  public Predicate<InetAddress> trusted() {
    List<Network> networks = trustedNetworks.stream().map(Network::parse).toList();
    return address -> networks.stream().anyMatch(network -> network.contains(address));
  }
}
