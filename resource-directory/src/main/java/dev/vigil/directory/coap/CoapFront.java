package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.link.Hosts;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.network.ExtendedCoapStackFactory;
import org.eclipse.californium.core.network.Outbox;
import org.eclipse.californium.core.network.RandomTokenGenerator;
import org.eclipse.californium.core.network.TokenGenerator;
import org.eclipse.californium.core.network.stack.CoapStack;
import org.eclipse.californium.core.observe.ObserveManager;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.SystemConfig;
import org.eclipse.californium.elements.config.UdpConfig;
import org.eclipse.californium.elements.util.ExecutorsUtil;
import org.eclipse.californium.elements.util.NamedThreadFactory;
import org.jspecify.annotations.Nullable;

/** Serves a site over CoAP until it is closed. */
public final class CoapFront implements AutoCloseable {
  private static final int LANES = 64;
  private static final long GRACE_MILLIS = 1000;

  /** A burst of motes that wake together; the kernel gives what its own limit allows. */
  private static final int SOCKET_BUFFER = 1 << 20;

  /** What strangers may begin in one lifetime; two of them can meet, and half is left. */
  private static final int STRANGERS_PART = 4;

  private final List<CoapEndpoint> endpoints;
  private final Workers pool;
  private final ScheduledExecutorService timer;

  private CoapFront(List<CoapEndpoint> endpoints, Workers pool, ScheduledExecutorService timer) {
    this.endpoints = endpoints;
    this.pool = pool;
    this.timer = timer;
  }

  /**
   * Starts to serve.
   *
   * @param connectors further ways in besides the settings' UDP addresses: a DTLS connector, the
   *     bridge's. The front starts, stops and destroys them
   * @param random for Echo keys and message ids
   * @throws IOException names the address that could not be had, and the way out
   */
  public static CoapFront open(
      Site site,
      Topics topics,
      CoapSettings settings,
      List<? extends Connector> connectors,
      Clock clock,
      SecureRandom random)
      throws IOException {
    CoapSettings.Limits limits = settings.limits();
    Configuration config = configuration(limits, settings.multicast().leisure());
    Workers pool = new Workers(limits.workers(), new NamedThreadFactory("coap-worker-"));
    ScheduledExecutorService timer = ExecutorsUtil.newDefaultSecondaryScheduler("coap-timer-");
    Desk desk =
        new Desk(
            site,
            new Callers(settings.trust()),
            new Bases(),
            new Echo(random, clock),
            new Lanes(LANES, limits.maxQueued(), pool),
            new LateAnswers(timer, limits.ackTimeout().toMillis()));
    Deliverer deliverer =
        new Deliverer(desk, topics, pool, new ObserveManager(config), limits.maxObservers(), clock);
    CoapFront front = new CoapFront(new ArrayList<>(), pool, timer);
    List<Connector> all = new ArrayList<>();
    boolean alone = settings.multicast().equals(CoapSettings.Multicast.NONE);
    for (InetSocketAddress address : settings.addresses()) {
      all.add(
          alone
              ? new DirectConnector(address, config)
              : new GroupConnector(address, config, settings.multicast().interfaces(), clock));
    }
    all.addAll(connectors);
    try {
      for (Connector connector : all) {
        front.serve(connector, config, desk, deliverer, limits, random, clock);
      }
    } catch (IOException e) {
      front.close();
      throw e;
    }
    return front;
  }

  /** Where it listens, in the order given, UDP addresses first, with the ports it got. */
  public List<URI> addresses() {
    return endpoints.stream().map(CoapEndpoint::getUri).toList();
  }

  /** The same as socket addresses. */
  public List<InetSocketAddress> sockets() {
    return endpoints.stream().map(CoapEndpoint::getAddress).toList();
  }

  /**
   * The endpoint to ask the sender of a request by: that which the request came to, where addresses
   * tell; else the first of its protocol.
   */
  Optional<CoapEndpoint> endpointFor(Caller caller, String base) {
    List<CoapEndpoint> fitting =
        endpoints.stream()
            .filter(e -> CoAP.isSecureScheme(e.getUri().getScheme()) == caller.secure())
            .toList();
    return fitting.stream()
        .filter(e -> base.contains("://" + Hosts.literal(e.getAddress().getAddress())))
        .findFirst()
        .or(() -> fitting.stream().findFirst());
  }

  /** The first plain endpoint from which an address can be reached, as far as its kind tells. */
  Optional<CoapEndpoint> endpointTowards(InetAddress address) {
    return endpoints.stream()
        .filter(e -> !CoAP.isSecureScheme(e.getUri().getScheme()))
        .filter(
            e -> {
              InetAddress own = e.getAddress().getAddress();
              return own.getClass() == address.getClass()
                  || own.isAnyLocalAddress() && own instanceof Inet6Address;
            })
        .findFirst();
  }

  @Override
  public void close() {
    endpoints.forEach(CoapEndpoint::destroy);
    ExecutorsUtil.shutdownExecutorGracefully(GRACE_MILLIS, pool, timer);
  }

  private void serve(
      Connector connector,
      Configuration config,
      Desk desk,
      Deliverer deliverer,
      CoapSettings.Limits limits,
      SecureRandom random,
      Clock clock)
      throws IOException {
    TokenGenerator tokens = new RandomTokenGenerator(config);
    RequestMemory memory = new RequestMemory(config, tokens);
    MessageIds ids = new MessageIds(config.get(CoapConfig.MULTICAST_BASE_MID), random);
    memory.setMessageIdProvider(ids);
    Uploads uploads =
        new Uploads(
            deliverer::isVerified,
            deliverer::challenge,
            limits.maxTransfers() / STRANGERS_PART,
            Duration.ofMillis(
                config.get(CoapConfig.BLOCKWISE_STATUS_LIFETIME, TimeUnit.MILLISECONDS)),
            clock);
    CoapEndpoint endpoint =
        CoapEndpoint.builder()
            .setConfiguration(config)
            .setTokenGenerator(tokens)
            .setMessageExchangeStore(memory)
            .setConnector(intake(connector, config, desk, limits, ids))
            .setCoapStackFactory(new StackFactory(limits.maxTransfers(), uploads))
            .build();
    endpoint.setMessageDeliverer(deliverer);
    endpoint.setExecutors(pool, timer);
    try {
      endpoint.start();
    } catch (IOException e) {
      endpoint.destroy();
      throw new IOException(
          "cannot listen on %s: %s. Is another gateway running (ss -lunp)? Stop it, or choose another port (%s) or other addresses in vigil.coap.addresses"
              .formatted(
                  endpoint.getUri(),
                  e.getMessage(),
                  CoAP.isSecureScheme(endpoint.getUri().getScheme())
                      ? "--coaps-port"
                      : "--coap-port"),
          e);
    }
    endpoints.add(endpoint);
  }

  /** Over DTLS nothing goes the short way: what a session costs is so much more. */
  private Intake intake(
      Connector connector,
      Configuration config,
      Desk desk,
      CoapSettings.Limits limits,
      MessageIds ids) {
    AtomicInteger waiting = new AtomicInteger();
    Express express = null;
    if (connector.getProtocol().equals(CoAP.PROTOCOL_UDP)) {
      Places<AtomicReference<byte @Nullable []>> recent =
          new Places<>(
              config.get(CoapConfig.EXCHANGE_LIFETIME, TimeUnit.NANOSECONDS), System::nanoTime);
      recent.sweepFrom(timer);
      express = new Express(connector, desk, pool, ids, recent, waiting);
    }
    return new Intake(connector, pool, limits.maxQueued(), waiting, express);
  }

  private static Configuration configuration(CoapSettings.Limits limits, Duration leisure) {
    CoapConfig.register();
    UdpConfig.register();
    SystemConfig.register();
    return new Configuration()
        // What was answered is remembered without its payload and options.
        .set(CoapConfig.USE_MESSAGE_OFFLOADING, true)
        .set(CoapConfig.MAX_RESOURCE_BODY_SIZE, limits.maxBody())
        .set(CoapConfig.MAX_SERVER_OBSERVES, limits.maxObservers())
        .set(CoapConfig.PROTOCOL_STAGE_THREAD_COUNT, limits.workers())
        .set(CoapConfig.ACK_TIMEOUT, limits.ackTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .set(CoapConfig.MAX_RETRANSMIT, limits.maxRetransmit())
        .set(CoapConfig.LEISURE, leisure.toMillis(), TimeUnit.MILLISECONDS)
        .set(UdpConfig.UDP_RECEIVE_BUFFER_SIZE, SOCKET_BUFFER)
        .set(UdpConfig.UDP_SEND_BUFFER_SIZE, SOCKET_BUFFER)
        .set(UdpConfig.UDP_RECEIVER_THREAD_COUNT, 1)
        .set(UdpConfig.UDP_SENDER_THREAD_COUNT, 0);
  }

  /** Californium asks a factory, because the stack needs its outbox. */
  private record StackFactory(int maxTransfers, Uploads uploads)
      implements ExtendedCoapStackFactory {
    @Override
    public CoapStack createCoapStack(
        String protocol,
        String tag,
        Configuration config,
        EndpointContextMatcher matcher,
        Outbox outbox,
        Object argument) {
      return new Stack(tag, config, matcher, outbox, maxTransfers, uploads);
    }

    @Deprecated
    @Override
    public CoapStack createCoapStack(
        String protocol, String tag, Configuration config, Outbox outbox, Object argument) {
      throw new IllegalStateException("Californium calls this one only of factories before 3.1");
    }
  }
}
