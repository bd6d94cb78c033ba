package dev.vigil.gateway.coap;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.coap.dtls.ClusterSockets;
import dev.vigil.gateway.coap.dtls.DtlsConnectors;
import dev.vigil.gateway.coap.dtls.DtlsListener;
import dev.vigil.gateway.coap.dtls.DtlsStatistics;
import dev.vigil.gateway.coap.dtls.SavedSessions;
import dev.vigil.gateway.store.SharedSecrets;
import dev.vigil.mirror.MirrorProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.californium.elements.Connector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The listeners of the CoAP server: UDP, DTLS, the radio, and the multicast groups. */
@Component
class CoapListeners {
  private static final Logger log = LoggerFactory.getLogger(CoapListeners.class);

  static final InetAddress LOOPBACK_4 = InetAddress.ofLiteral("127.0.0.1");
  static final InetAddress LOOPBACK_6 = InetAddress.ofLiteral("::1");

  private final CoapProperties properties;
  private final BridgeLifecycle network;
  private final MirrorProxy mirror;
  private final SharedSecrets secrets;
  private final ClusterSockets cluster;
  private final SavedSessions sessions;
  private final Clock clock;
  private final LongSupplier nanoTime;

  CoapListeners(
      CoapProperties properties,
      BridgeLifecycle network,
      MirrorProxy mirror,
      SharedSecrets secrets,
      ClusterSockets cluster,
      SavedSessions sessions,
      Clock clock,
      LongSupplier nanoTime) {
    this.properties = properties;
    this.network = network;
    this.mirror = mirror;
    this.secrets = secrets;
    this.cluster = cluster;
    this.sessions = sessions;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /**
   * @param settings the plain UDP sockets, limits, and the rule for verified source addresses
   * @param connectors the other sockets, not started yet
   * @param secure the sockets among them that speak DTLS
   * @param certificateExpires when the certificate of CoAPS expires; empty without one
   */
  record Listeners(
      CoapSettings settings,
      List<Connector> connectors,
      List<DtlsListener> secure,
      Optional<Instant> certificateExpires) {
    DtlsStatistics dtls() {
      return secure.stream()
          .map(DtlsListener::statistics)
          .reduce(DtlsStatistics.NONE, DtlsStatistics::plus);
    }
  }

  /**
   * Creates the listeners of one run of the server, and restores the DTLS sessions of the last run.
   *
   * @throws IOException begins with "cannot" and names the setting or file and its fault
   */
  Listeners create() throws IOException {
    DtlsConnectors dtls = DtlsConnectors.of(properties.dtls(), mirror.identityKeys(), clock);
    Optional<Connector> mesh = network.bridge().map(Bridge::connector);
    Optional<DtlsListener> secureMesh = network.bridge().map(dtls::over);
    Set<InetSocketAddress> radio =
        Stream.concat(mesh.stream(), secureMesh.map(DtlsListener::connector).stream())
            .map(Connector::getAddress)
            .collect(Collectors.toUnmodifiableSet());
    CoapSettings settings =
        new CoapSettings(
            addresses(properties.port()),
            new SourceTrust(
                properties.trusted(), properties.loopbackProxy(), radio, network, mirror.queries()),
            limits(),
            multicast(),
            HeapPressure.ofThisProcess(nanoTime),
            secrets.derive("Echo"));
    List<Connector> connectors = new ArrayList<>(mesh.stream().toList());
    List<DtlsListener> secure =
        Stream.concat(
                cluster.listeners(dtls, addresses(properties.securePort())).stream(),
                secureMesh.stream())
            .toList();
    sessions.restore(secure);
    secure.forEach(one -> connectors.add(one.connector()));
    return new Listeners(settings, List.copyOf(connectors), secure, dtls.certificateExpires());
  }

  /** Called when all sockets are open. */
  void opened(Listeners listeners) {
    cluster.opened(listeners.secure());
  }

  /** Called when all sockets are closed, so that nothing more can be sent in a session. */
  void closed(Listeners listeners) {
    sessions.save(listeners.secure());
  }

  /** The URI at which motes reach the server over the radio. */
  Optional<String> meshUri() {
    return network.meshUri();
  }

  private CoapSettings.Limits limits() {
    CoapSettings.Limits standard = CoapSettings.Limits.standard();
    return new CoapSettings.Limits(
        standard.workers(),
        properties.maxBody(),
        standard.maxQueued(),
        CoapSettings.Limits.transfers(Runtime.getRuntime().maxMemory(), properties.maxBody()),
        CoapSettings.Limits.observers(Runtime.getRuntime().maxMemory()),
        standard.ackTimeout(),
        standard.maxRetransmit());
  }

  private CoapSettings.Multicast multicast() throws IOException {
    List<String> named = properties.multicastInterfaces();
    for (String name : named) {
      if (NetworkInterface.getByName(name) == null) {
        log.warn(
            "vigil.coap.multicast names {}, which this machine does not have (ip link lists its"
                + " interfaces); groups are joined there once the interface exists",
            name);
      }
    }
    boolean all =
        properties.multicastIsAuto()
            && addresses(properties.port()).stream()
                .anyMatch(socket -> socket.getAddress().isAnyLocalAddress());
    return all || !named.isEmpty()
        ? new CoapSettings.Multicast(
            one -> named.contains(one.getName()) || all && supportsMulticast(one),
            CoapSettings.Multicast.STANDARD_LEISURE)
        : CoapSettings.Multicast.NONE;
  }

  private static boolean supportsMulticast(NetworkInterface one) {
    try {
      return one.supportsMulticast() && !one.isLoopback();
    } catch (SocketException e) {
      // The interface has just been removed.
      return false;
    }
  }

  private List<InetSocketAddress> addresses(int port) throws IOException {
    List<InetSocketAddress> sockets = new ArrayList<>();
    for (String name : properties.addresses()) {
      resolve(name).stream()
          .map(address -> new InetSocketAddress(address, port))
          .forEach(sockets::add);
    }
    return sockets;
  }

  private static List<InetAddress> resolve(String name) throws IOException {
    try {
      if (name.equals("localhost")) {
        // Name services often know only one of the two loopback addresses.
        return NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(InetAddress::isLoopbackAddress)
            .filter(address -> address.equals(LOOPBACK_4) || address.equals(LOOPBACK_6))
            // IPv6 first, which motes use.
            .sorted(Comparator.comparing(address -> -address.getAddress().length))
            .toList();
      }
      return List.of(InetAddress.getAllByName(name));
    } catch (UnknownHostException e) {
      throw new IOException("cannot resolve \"" + name + "\" in vigil.coap.addresses", e);
    }
  }
}
