package dev.vigil.gateway.coap;

import dev.vigil.border.Bridge;
import dev.vigil.directory.coap.CoapClient;
import dev.vigil.directory.coap.CoapFetcher;
import dev.vigil.directory.coap.CoapFront;
import dev.vigil.directory.coap.CoapSettings;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.gateway.config.CoapProperties;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.launch.Listening;
import dev.vigil.gateway.network.Network;
import dev.vigil.mirror.MirrorProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.elements.Connector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Serves the site over CoAP and CoAPS from the start of the application to its end. */
@Component
@Order(Listening.COAP)
class CoapServer implements SmartLifecycle, Listening {
  private static final Logger log = LoggerFactory.getLogger(CoapServer.class);

  /** Before the web server, so that whoever can ask over HTTP can ask over CoAP. */
  private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

  private static final InetAddress LOOPBACK_4 = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress LOOPBACK_6 = InetAddress.ofLiteral("::1");

  private final Site site;
  private final Topics topics;
  private final CoapProperties properties;
  private final Network network;
  private final MirrorProxy mirror;
  private final Clock clock;
  private final SecureRandom random;
  private final CoapFetcher fetcher;
  private final CoapClient client;
  private @Nullable CoapFront front;

  CoapServer(
      Site site,
      Topics topics,
      VigilProperties properties,
      Network network,
      MirrorProxy mirror,
      Clock clock,
      SecureRandom random,
      CoapFetcher fetcher,
      CoapClient client) {
    this.site = site;
    this.topics = topics;
    this.properties = properties.coap();
    this.network = network;
    this.mirror = mirror;
    this.clock = clock;
    this.random = random;
    this.fetcher = fetcher;
    this.client = client;
  }

  @Override
  public void start() {
    try {
      Predicate<InetAddress> trusted = properties.trusted();
      List<Connector> more = new ArrayList<>();
      network.bridge().map(Bridge::connector).ifPresent(more::add);
      // The bridge lets no mote take another's address; elsewhere anybody can write one of the
      // mesh.
      Set<InetSocketAddress> radio =
          more.stream().map(Connector::getAddress).collect(Collectors.toUnmodifiableSet());
      CoapSettings settings =
          new CoapSettings(
              addressesToBind(properties.port()),
              (at, source) ->
                  trusted.test(source) || radio.contains(at) && network.isOfMesh(source),
              limits(),
              multicast());
      DtlsConnectors dtls = DtlsConnectors.of(properties.dtls(), mirror.identityKeys(), clock);
      addressesToBind(properties.securePort()).stream().map(dtls::at).forEach(more::add);
      network.bridge().map(dtls::over).ifPresent(more::add);
      front = CoapFront.open(site, topics, settings, more, clock, random);
      fetcher.through(front);
      client.through(front);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop() {
    CoapFront closing = front;
    front = null;
    fetcher.through(null);
    client.through(null);
    if (closing != null) {
      closing.close();
    }
  }

  @Override
  public boolean isRunning() {
    return front != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** A wildcard is told as loopback, which is where a reader of the line can reach it. */
  @Override
  public List<String> addresses() {
    CoapFront serving = front;
    if (serving == null) {
      return List.of();
    }
    List<String> plain = new ArrayList<>();
    List<String> secure = new ArrayList<>();
    for (int i = 0; i < serving.sockets().size(); i++) {
      String scheme = serving.addresses().get(i).getScheme();
      (CoAP.isSecureScheme(scheme) ? secure : plain).add(uri(scheme, serving.sockets().get(i)));
    }
    return Stream.of(plain, network.meshUri().stream().toList(), secure)
        .flatMap(List::stream)
        .toList();
  }

  private static String uri(String scheme, InetSocketAddress socket) {
    InetAddress address = socket.getAddress();
    if (address.isAnyLocalAddress()) {
      address = address.getAddress().length == 4 ? LOOPBACK_4 : LOOPBACK_6;
    }
    return scheme + "://" + Literal.of(address) + ":" + socket.getPort();
  }

  private CoapSettings.Multicast multicast() throws IOException {
    List<String> named = properties.multicastInterfaces();
    for (String name : named) {
      if (NetworkInterface.getByName(name) == null) {
        log.warn(
            "vigil.coap.multicast names {}, which this machine lacks (ip link lists what it has);"
                + " groups are heard there once it comes up",
            name);
      }
    }
    boolean everywhere =
        properties.multicastWhereverWeListen()
            && addressesToBind(properties.port()).stream()
                .anyMatch(socket -> socket.getAddress().isAnyLocalAddress());
    return everywhere || !named.isEmpty()
        ? new CoapSettings.Multicast(
            one -> named.contains(one.getName()) || everywhere && hearsGroups(one),
            CoapSettings.Multicast.STANDARD_LEISURE)
        : CoapSettings.Multicast.NONE;
  }

  private static boolean hearsGroups(NetworkInterface one) {
    try {
      return one.supportsMulticast() && !one.isLoopback();
    } catch (SocketException e) {
      // It went away just now.
      return false;
    }
  }

  private CoapSettings.Limits limits() {
    CoapSettings.Limits usual = CoapSettings.Limits.standard();
    return new CoapSettings.Limits(
        usual.workers(),
        properties.maxBody(),
        usual.maxQueued(),
        usual.maxTransfers(),
        usual.maxObservers(),
        usual.ackTimeout(),
        usual.maxRetransmit());
  }

  private List<InetSocketAddress> addressesToBind(int port) throws IOException {
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
        // Name services often know only one of the two.
        return NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(InetAddress::isLoopbackAddress)
            .filter(address -> address.equals(LOOPBACK_4) || address.equals(LOOPBACK_6))
            // IPv6 first: it is what motes speak.
            .sorted(Comparator.comparing(address -> -address.getAddress().length))
            .toList();
      }
      return List.of(InetAddress.getAllByName(name));
    } catch (UnknownHostException e) {
      throw new IOException(
          "cannot find \"" + name + "\", which vigil.coap.addresses names, on this network", e);
    }
  }
}
