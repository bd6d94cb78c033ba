package dev.vigil.gateway.coap;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.link.UriHosts;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.coap.server.CoapStatistics;
import dev.vigil.coap.server.ListenException;
import dev.vigil.gateway.coap.dtls.DtlsStatistics;
import dev.vigil.gateway.listening.ListeningAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.californium.core.coap.CoAP;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Starts and stops the CoAP and CoAPS server. */
@Component
@Order(ListeningAddress.COAP)
class CoapServerLifecycle implements SmartLifecycle, ListeningAddress {
  /**
   * Starts before the web server, so that a client that gets an answer over HTTP gets one over CoAP
   * too.
   */
  private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

  private final RequestDispatcher dispatcher;
  private final Topics topics;
  private final CoapListeners listeners;
  private final CoapClientConfiguration.Clients clients;
  private final Clocks clocks;
  private final SecureRandom random;

  /** Written by the main thread, read by the threads that read metrics. */
  private volatile @Nullable Running running;

  private record Running(CoapServer server, CoapListeners.Listeners listeners) {}

  CoapServerLifecycle(
      RequestDispatcher dispatcher,
      Topics topics,
      CoapListeners listeners,
      CoapClientConfiguration.Clients clients,
      Clocks clocks,
      SecureRandom random) {
    this.dispatcher = dispatcher;
    this.topics = topics;
    this.listeners = listeners;
    this.clients = clients;
    this.clocks = clocks;
    this.random = random;
  }

  @Override
  public void start() {
    try {
      CoapListeners.Listeners opened = listeners.create();
      CoapServer server =
          CoapServer.open(
              dispatcher, topics, opened.settings(), opened.connectors(), clocks, random);
      running = new Running(server, opened);
      listeners.opened(opened);
      clients.attach(server);
    } catch (ListenException e) {
      throw new UncheckedIOException(withHint(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a hint that names the settings for another address. */
  static IOException withHint(ListenException cause) {
    String port = CoAP.isSecureScheme(cause.uri().getScheme()) ? "--coaps-port" : "--coap-port";
    return new IOException(
        cause.getMessage()
            + ". Is another gateway running (ss -lunp)? Stop it, or choose another port ("
            + port
            + ") or other addresses in vigil.coap.addresses",
        cause);
  }

  @Override
  public void stop() {
    Running closing = running;
    running = null;
    clients.attach(null);
    if (closing != null) {
      closing.server.close();
      listeners.closed(closing.listeners);
    }
  }

  /** Figures of the server; zeros while it is closed. */
  CoapStatistics statistics() {
    Running now = running;
    return now == null ? CoapStatistics.NONE : now.server.statistics();
  }

  /** Figures of the DTLS sockets; zeros while they are closed. */
  DtlsStatistics dtlsStatistics() {
    Running now = running;
    return now == null ? DtlsStatistics.NONE : now.listeners.dtls();
  }

  /** The time at which the certificate of CoAPS expires; empty without one. */
  Optional<Instant> certificateExpires() {
    Running now = running;
    return now == null ? Optional.empty() : now.listeners.certificateExpires();
  }

  @Override
  public boolean isRunning() {
    return running != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  @Override
  public List<String> addresses() {
    Running now = running;
    if (now == null) {
      return List.of();
    }
    CoapServer server = now.server;
    List<String> plain = new ArrayList<>();
    List<String> secure = new ArrayList<>();
    for (int i = 0; i < server.sockets().size(); i++) {
      String scheme = server.addresses().get(i).getScheme();
      (CoAP.isSecureScheme(scheme) ? secure : plain).add(uri(scheme, server.sockets().get(i)));
    }
    return Stream.of(plain, listeners.meshUri().stream().toList(), secure)
        .flatMap(List::stream)
        .toList();
  }

  /** A wildcard is shown as loopback, where a reader of the {@code ready} line can connect. */
  private static String uri(String scheme, InetSocketAddress socket) {
    InetAddress address = socket.getAddress();
    if (address.isAnyLocalAddress()) {
      address =
          address.getAddress().length == 4 ? CoapListeners.LOOPBACK_4 : CoapListeners.LOOPBACK_6;
    }
    return scheme + "://" + UriHosts.literal(address) + ":" + socket.getPort();
  }
}
