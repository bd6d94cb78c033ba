package dev.vigil.gateway.coap;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.coap.server.ListenException;
import dev.vigil.gateway.launch.ListeningAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
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
  /** Before the web server: a client that gets an answer over HTTP gets one over CoAP too. */
  private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

  private final RequestDispatcher dispatcher;
  private final Topics topics;
  private final CoapListeners listeners;
  private final CoapClientConfiguration.Clients clients;
  private final Clocks clocks;
  private final SecureRandom random;
  private @Nullable CoapServer server;

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
      server =
          CoapServer.open(
              dispatcher, topics, opened.settings(), opened.connectors(), clocks, random);
      clients.attach(server);
    } catch (ListenException e) {
      throw new UncheckedIOException(withHint(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds the settings that choose another address. */
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
    CoapServer closing = server;
    server = null;
    clients.attach(null);
    if (closing != null) {
      closing.close();
    }
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  @Override
  public List<String> addresses() {
    CoapServer running = server;
    if (running == null) {
      return List.of();
    }
    List<String> plain = new ArrayList<>();
    List<String> secure = new ArrayList<>();
    for (int i = 0; i < running.sockets().size(); i++) {
      String scheme = running.addresses().get(i).getScheme();
      (CoAP.isSecureScheme(scheme) ? secure : plain).add(uri(scheme, running.sockets().get(i)));
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
    return scheme + "://" + AddressLiteral.of(address) + ":" + socket.getPort();
  }
}
