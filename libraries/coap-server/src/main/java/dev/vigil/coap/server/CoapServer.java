package dev.vigil.coap.server;

import dev.vigil.coap.blockwise.BlockwiseDownloads;
import dev.vigil.coap.blockwise.BlockwiseUploads;
import dev.vigil.coap.dedup.DedupTable;
import dev.vigil.coap.dedup.RequestDeduplicator;
import dev.vigil.coap.dispatch.FairSerialExecutor;
import dev.vigil.coap.dispatch.KeyedSerialExecutor;
import dev.vigil.coap.dispatch.RequestContext;
import dev.vigil.coap.dispatch.SeparateResponseTimer;
import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.fastpath.FastPathServer;
import dev.vigil.coap.limits.VerifiedAddresses;
import dev.vigil.coap.message.BaseUris;
import dev.vigil.coap.message.CallerResolver;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.message.EchoVerifier;
import dev.vigil.coap.message.SharedMessageIds;
import dev.vigil.coap.multicast.DirectUdpConnector;
import dev.vigil.coap.multicast.MulticastConnector;
import dev.vigil.coap.observe.ObservedRequests;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.network.MessageIdProvider;
import org.eclipse.californium.core.network.RandomTokenGenerator;
import org.eclipse.californium.core.network.TokenGenerator;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.core.observe.ObserveManager;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.SystemConfig;
import org.eclipse.californium.elements.config.UdpConfig;
import org.eclipse.californium.elements.util.ExecutorsUtil;
import org.eclipse.californium.elements.util.NamedThreadFactory;
import org.jspecify.annotations.Nullable;

/** Serves the routes of a {@link RequestDispatcher} over CoAP until it is closed. */
public final class CoapServer implements AutoCloseable {
  private static final int PREFIX_OCTETS = 8;

  /**
   * Number of a connector's datagrams that wait in order of arrival; further datagrams wait by
   * source. After a pause of the garbage collector, up to this many datagrams of strangers are
   * served first.
   */
  private static final int MAX_WAITING = 16;

  /** Number of lookups and histories of strangers that may wait. */
  private static final int MAX_COSTLY = 256;

  /** Number of addresses proved by Echo; their datagrams have separate places and turns. */
  private static final int MAX_VERIFIED_ADDRESSES = 4_096;

  private static final int SERIAL_QUEUES = 64;
  private static final long CLOSE_TIMEOUT_MILLIS = 1000;

  /** Holds a burst of some 5 000 datagrams; the kernel may grant less. */
  private static final int SOCKET_BUFFER_OCTETS = 4 << 20;

  private final List<CoapEndpoint> endpoints = new ArrayList<>();
  private final List<FairQueueConnector> queues = new ArrayList<>();
  private final CoapSettings settings;
  private final Clocks clocks;
  private final SecureRandom random;
  private final Configuration config;
  private final WorkerPool pool;
  private final ScheduledExecutorService timer;
  private final RequestContext context;
  private final CaliforniumRequestHandler handler;
  private final BlockwiseUploads uploads;
  private final BlockwiseDownloads downloads;
  private final ObserverPlaces observers;

  private CoapServer(
      RequestDispatcher dispatcher,
      Topics topics,
      CoapSettings settings,
      Clocks clocks,
      SecureRandom random) {
    CoapSettings.Limits limits = settings.limits();
    this.settings = settings;
    this.clocks = clocks;
    this.random = random;
    this.config = configuration(limits, settings.multicast().leisure());
    this.pool = new WorkerPool(limits.workers(), new NamedThreadFactory("coap-worker-"));
    this.timer = ExecutorsUtil.newDefaultSecondaryScheduler("coap-timer-");
    this.context =
        new RequestContext(
            dispatcher,
            new CallerResolver(settings.trust()),
            new BaseUris(clocks.nanoTime()),
            echo(settings.echoKey(), random, clocks),
            new VerifiedAddresses(MAX_VERIFIED_ADDRESSES, clocks.nanoTime()),
            new KeyedSerialExecutor(SERIAL_QUEUES, limits.maxQueued(), pool),
            new SeparateResponseTimer(timer, limits.ackTimeout().toMillis()));
    BooleanSupplier memoryIsScarce = settings.memoryIsScarce();
    this.observers =
        new ObserverPlaces(
            new ObservedRequests(dispatcher, topics, pool, clocks.wallClock()),
            limits.maxObservers(),
            memoryIsScarce,
            clocks.wallClock());
    observers.scheduleSweeps(timer);
    this.handler =
        new CaliforniumRequestHandler(
            context,
            observers,
            new ObserveManager(config),
            memoryIsScarce,
            new FairSerialExecutor(MAX_COSTLY, pool, clocks.nanoTime(), this::schedule),
            clocks.wallClock());
    this.uploads =
        new BlockwiseUploads(
            limits.maxTransfers(), limits.maxBody(), memoryIsScarce, clocks.nanoTime());
    uploads.scheduleSweeps(timer);
    this.downloads =
        new BlockwiseDownloads(limits.downloadOctets(), memoryIsScarce, clocks.nanoTime());
    downloads.scheduleSweeps(timer);
  }

  /**
   * Opens a server.
   *
   * @param topics report the changes of which observers are notified
   * @param connectors in addition to the UDP addresses of the settings, for instance for DTLS; the
   *     server starts, stops and destroys them
   * @param random for Echo keys and message IDs
   * @throws ListenException if an address is not available; no other address is open then
   */
  public static CoapServer open(
      RequestDispatcher dispatcher,
      Topics topics,
      CoapSettings settings,
      List<? extends Connector> connectors,
      Clocks clocks,
      SecureRandom random)
      throws ListenException {
    CoapServer server = new CoapServer(dispatcher, topics, settings, clocks, random);
    List<Connector> all = new ArrayList<>();
    settings.addresses().forEach(address -> all.add(server.udpConnector(address)));
    all.addAll(connectors);
    try {
      for (Connector connector : all) {
        server.listen(connector);
      }
    } catch (ListenException e) {
      server.close();
      throw e;
    }
    return server;
  }

  /**
   * The URIs of the sockets, with the actual ports: UDP addresses first, then the connectors, in
   * the order given.
   */
  public List<URI> addresses() {
    return endpoints.stream().map(CoapEndpoint::getUri).toList();
  }

  /** The socket addresses, in the order of {@link #addresses}. */
  public List<InetSocketAddress> sockets() {
    return endpoints.stream().map(CoapEndpoint::getAddress).toList();
  }

  /**
   * The endpoint from which to send requests to the sender of a request. It is the endpoint whose
   * address is in the request's base URI, else the first with the same security.
   *
   * @param base of the request
   */
  Optional<CoapEndpoint> endpointFor(Caller caller, String base) {
    List<CoapEndpoint> sameSecurity =
        endpoints.stream()
            .filter(e -> CoAP.isSecureScheme(e.getUri().getScheme()) == caller.secure())
            .toList();
    return sameSecurity.stream()
        .filter(e -> BaseUris.hasHost(base, e.getAddress().getAddress()))
        .findFirst()
        .or(() -> sameSecurity.stream().findFirst());
  }

  /**
   * The endpoint without DTLS from which an address can be reached: the endpoint on the link of
   * that IPv6 address, else the first with a suitable address family.
   */
  Optional<CoapEndpoint> endpointTowards(InetAddress address) {
    List<CoapEndpoint> suitable =
        endpoints.stream()
            .filter(e -> !CoAP.isSecureScheme(e.getUri().getScheme()))
            .filter(
                e -> {
                  InetAddress local = e.getAddress().getAddress();
                  return local.getClass() == address.getClass()
                      || local.isAnyLocalAddress() && local instanceof Inet6Address;
                })
            .toList();
    return suitable.stream()
        .filter(e -> isOnLink(e.getAddress().getAddress(), address))
        .findFirst()
        .or(() -> suitable.stream().findFirst());
  }

  /** Whether two IPv6 addresses have the same 64-bit prefix. */
  private static boolean isOnLink(InetAddress local, InetAddress remote) {
    return local instanceof Inet6Address
        && remote instanceof Inet6Address
        && !local.isAnyLocalAddress()
        && Arrays.equals(
            local.getAddress(), 0, PREFIX_OCTETS, remote.getAddress(), 0, PREFIX_OCTETS);
  }

  /** The current statistics; any thread may call this. */
  public CoapStatistics statistics() {
    return CoapStatistics.of(queues, context, observers, uploads);
  }

  private void schedule(Runnable task, long nanos) {
    try {
      timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The server has closed; clients retransmit.
    }
  }

  /** Runs the periodic clean-up at once. */
  void sweep() {
    observers.sweep();
    uploads.sweep();
    downloads.sweep();
  }

  @Override
  public void close() {
    endpoints.forEach(CoapEndpoint::destroy);
    ExecutorsUtil.shutdownExecutorGracefully(CLOSE_TIMEOUT_MILLIS, pool, timer);
  }

  private Connector udpConnector(InetSocketAddress address) {
    CoapSettings.Multicast multicast = settings.multicast();
    return multicast.equals(CoapSettings.Multicast.NONE)
        ? new DirectUdpConnector(address, config)
        : new MulticastConnector(address, config, multicast.interfaces(), clocks.nanoTime());
  }

  private void listen(Connector connector) throws ListenException {
    CoapEndpoint endpoint = endpoint(connector);
    try {
      endpoint.start();
    } catch (IOException e) {
      endpoint.destroy();
      throw new ListenException(endpoint.getUri(), e);
    }
    endpoints.add(endpoint);
  }

  private CoapEndpoint endpoint(Connector connector) {
    TokenGenerator tokens = new RandomTokenGenerator(config);
    SharedMessageIds messageIds =
        new SharedMessageIds(config.get(CoapConfig.MULTICAST_BASE_MID), random);
    RequestDeduplicator exchangeStore =
        new RequestDeduplicator(config, tokens, messageIds, clocks.nanoTime());
    BoundedStackFactory layers =
        new BoundedStackFactory(
            new BlockwiseUploadLayer(handler, uploads),
            new BlockwiseDownloadLayer(handler, downloads));
    FairQueueConnector queue = withFastPath(connector, exchangeStore);
    queues.add(queue);
    CoapEndpoint endpoint =
        CoapEndpoint.builder()
            .setConfiguration(config)
            .setTokenGenerator(tokens)
            .setMessageExchangeStore(exchangeStore)
            .setConnector(queue)
            .setCoapStackFactory(layers)
            .setDataSerializerAndParser(new UdpDataSerializer(), new StrictDataParser())
            .build();
    endpoint.setMessageDeliverer(handler);
    endpoint.setExecutors(pool, timer);
    return endpoint;
  }

  /**
   * Over DTLS there is no fast path, because a DTLS session costs so much more that nothing would
   * be gained.
   */
  private FairQueueConnector withFastPath(Connector connector, MessageIdProvider messageIds) {
    AtomicInteger waiting = new AtomicInteger();
    FastPathServer fastPath = null;
    if (connector.getProtocol().equals(CoAP.PROTOCOL_UDP)) {
      long lifetime = config.get(CoapConfig.EXCHANGE_LIFETIME, TimeUnit.NANOSECONDS);
      DedupTable<AtomicReference<byte @Nullable []>> recent =
          new DedupTable<>(lifetime, clocks.nanoTime());
      recent.scheduleSweeps(timer);
      fastPath = new FastPathServer(connector, context, pool, messageIds, recent, waiting);
    }
    return new FairQueueConnector(
        connector,
        pool,
        Math.min(MAX_WAITING, settings.limits().maxQueued()),
        waiting,
        new DatagramSources(settings.trust(), context.verified(), connector::getAddress),
        fastPath);
  }

  private static EchoVerifier echo(byte @Nullable [] key, SecureRandom random, Clocks clocks) {
    return key == null
        ? new EchoVerifier(random, clocks.wallClock())
        : new EchoVerifier(key, clocks.wallClock());
  }

  private static Configuration configuration(CoapSettings.Limits limits, Duration leisure) {
    CoapConfig.register();
    UdpConfig.register();
    SystemConfig.register();
    return new Configuration()
        // Californium keeps completed exchanges without their payloads and options.
        .set(CoapConfig.USE_MESSAGE_OFFLOADING, true)
        .set(CoapConfig.MAX_RESOURCE_BODY_SIZE, limits.maxBody())
        .set(CoapConfig.MAX_SERVER_OBSERVES, limits.maxObservers())
        .set(CoapConfig.PROTOCOL_STAGE_THREAD_COUNT, limits.workers())
        .set(CoapConfig.ACK_TIMEOUT, limits.ackTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .set(CoapConfig.MAX_RETRANSMIT, limits.maxRetransmit())
        .set(CoapConfig.LEISURE, leisure.toMillis(), TimeUnit.MILLISECONDS)
        .set(UdpConfig.UDP_RECEIVE_BUFFER_SIZE, SOCKET_BUFFER_OCTETS)
        .set(UdpConfig.UDP_SEND_BUFFER_SIZE, SOCKET_BUFFER_OCTETS)
        .set(UdpConfig.UDP_RECEIVER_THREAD_COUNT, 1)
        .set(UdpConfig.UDP_SENDER_THREAD_COUNT, 0);
  }
}
