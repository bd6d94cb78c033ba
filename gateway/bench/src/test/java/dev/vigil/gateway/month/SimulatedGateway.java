package dev.vigil.gateway.month;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.host.MeshConnector;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.WireException;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.RequestTracer;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.coap.server.ClientRequest;
import dev.vigil.coap.server.ClientResponse;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapClient;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.coap.server.ListenException;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.gateway.bridge.NoRadio;
import dev.vigil.gateway.domains.DomainsOfMonth;
import dev.vigil.gateway.endpoints.EventsOfMonth;
import dev.vigil.gateway.fetch.FetchOfMonth;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.mirror.MirrorConfig;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.trust.MirrorIdentity;
import dev.vigil.signed.batch.BatchVerifier;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One run of the gateway on a data folder: its modules as the process wires them, with the month's
 * time, and with the motes' root in place of radios.
 */
final class SimulatedGateway implements AutoCloseable {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final long WAIT_MILLIS = 120_000;

  /** Requests may be answered without a datagram only if they ask for that, or came before. */
  private static final long SILENT_MILLIS = 50;

  private static final int COAP_PORT = 5683;
  private static final long PREFIX = 0xfd00_0000_0000_0000L;

  /** The address of the motes' root. */
  static final Ipv6Address GATEWAY = new Ipv6Address(PREFIX, 0x0201_0001_0001_0001L);

  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final Duration SILENCE = Duration.ofSeconds(2);
  private static final Duration MOMENT = Duration.ofMillis(100);

  private final VirtualTime time;
  private final SqliteStore sqlite;
  private final TrackedStore store;
  private final Network network;
  private final CoapClient client = new CoapClient();
  private final FetchOfMonth fetch;
  private final CounterFile counters;
  private final Records records;
  private final DomainsOfMonth domains;
  private final GatewayHost host;
  private final EventsOfMonth events;
  private final Directory directory;
  private final MirrorProxy mirror;
  private final RequestDispatcher dispatcher;
  private final CoapServer coap;
  private final AtomicInteger answered = new AtomicInteger();
  private final Set<String> seen = new HashSet<>();
  private final List<Store.Subscription> following = new ArrayList<>();
  private CompletableFuture<?> asked = CompletableFuture.completedFuture(null);
  private long lastBlock;
  private long lastTick;

  SimulatedGateway(
      Path folder,
      VirtualTime time,
      SecureRandom random,
      List<String> domains,
      List<String> commanders,
      Defect defect,
      GatewayHost.OnTheWay onTheWay,
      Network network,
      Path associations,
      boolean neverUsed)
      throws IOException, ListenException {
    this.time = time;
    Clock clock = time.gatewayClock();
    Topics topics = new Topics();
    this.sqlite = SqliteStore.open(folder, time::nanoTime);
    this.store = new TrackedStore(DefectiveStore.of(sqlite, defect));
    this.counters = new CounterFile(sqlite.companions().path(Companion.COUNTERS));
    sqlite.companions().made(Companion.COUNTERS);
    this.records = new Records(store, clock);
    this.domains = new DomainsOfMonth(records, domains, commanders);
    Access access =
        DefectiveAccess.of(this.domains.access(), defect == Defect.OBSERVATION_DECIDES_ONCE);
    this.host = new GatewayHost(GATEWAY, counters, random, onTheWay);
    this.mirror =
        new MirrorProxy(
            new MirrorProxy.Dependencies(
                store,
                topics,
                access,
                clock,
                random,
                BatchVerifier.none(new SignatureVerifier(SignatureVerifier.Choice.AUTO)),
                time::nanoTime),
            MirrorConfig.of(
                this.domains.inForce(),
                MirrorIdentity.load(sqlite.companions().path(Companion.IDENTITY), random),
                OwnAuthorities.UNKNOWN));
    sqlite.companions().made(Companion.IDENTITY);
    this.events =
        new EventsOfMonth(
            store,
            records,
            mirror.queries(),
            DefectiveAccess.of(this.domains.access(), defect == Defect.STREAM_DECIDES_ONCE),
            NoRadio.addresses(records, mirror.sealer(), sqlite.companions(), clock, random));
    PublishedLocation published = new PublishedLocation("", "/ms", "/keys", ContentFormat.JWK);
    this.directory =
        new Directory(
            store,
            topics,
            access,
            DirectoryConfig.standard(published),
            clock,
            new LinkSources(List.of(mirror::wellKnownLinks), Optional.empty()));
    List<Route> routes = new ArrayList<>(directory.routes());
    routes.addAll(mirror.routes());
    this.dispatcher = new RequestDispatcher(routes, tracer());
    this.coap =
        CoapServer.open(
            dispatcher,
            topics,
            CoapOfMonth.settings(),
            // Californium compares the arrival of a duplicate with its own time, which is real.
            List.of(new MeshConnector(host, COAP_PORT, System::nanoTime)),
            new Clocks(clock, time::nanoTime),
            random);
    client.attach(coap);
    this.network = network;
    this.fetch =
        new FetchOfMonth(
            this::ask, host.associations()::statuses, mirror.queries(), mirror.recovery());
    host.associations()
        .install(
            AssociationFileReader.read(associations, AssociationFileReader.GATEWAY_ENTRIES),
            false,
            neverUsed);
    host.associations()
        .blockStores()
        .addListener(
            block -> {
              lastBlock = time.micros();
              fetch.received(block);
            });
    following.add(mirror.queries().follow(mirror.queries().position(), fetch::heard));
    this.lastTick = time.micros();
  }

  /** Lets time pass on the network. */
  interface Network {
    void pass(Duration time) throws InterruptedException;
  }

  /** Sends a request to a mote, and lets time pass until its answer, and what follows, has come. */
  private CompletableFuture<ClientResponse> ask(ClientRequest request) {
    host.setAsking(true);
    CompletableFuture<ClientResponse> answer = client.send(request);
    asked = answer;
    try {
      if (!host.awaitOutgoing(address(request), answer, true, WAIT_MILLIS)) {
        throw new IllegalStateException("a request of the gateway was not sent: " + request.path());
      }
      long end = time.micros() + Month.micros(ANSWER);
      while (!answer.isDone() && time.micros() < end) {
        network.pass(MOMENT);
      }
      lastBlock = time.micros();
      while (isForBlocks(request) && time.micros() < lastBlock + Month.micros(SILENCE)) {
        network.pass(MOMENT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    host.setAsking(false);
    return answer.isDone()
        ? answer
        : CompletableFuture.failedFuture(new IOException("no answer in time"));
  }

  private static boolean isForBlocks(ClientRequest request) {
    return request.path().getLast().equals("send");
  }

  private static Ipv6Address address(ClientRequest request) {
    try {
      return Ipv6Address.parse(request.server().getHost().replaceAll("[\\[\\]]", ""));
    } catch (WireException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The retrieval of readings that the gateway lacks. */
  FetchOfMonth fetch() {
    return fetch;
  }

  /**
   * Connects the reader of events.
   *
   * @param after the last event that it knows; negative: none
   */
  void connectEvents(long after) {
    try {
      events.connect(after);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The events that came since the last call, up to this moment. */
  List<EventsOfMonth.Event> events() throws InterruptedException {
    return events.take();
  }

  /** The packets that wait to be sent to motes. */
  List<byte[]> outgoing() {
    return host.takeOutgoing(to -> !to.equals(ObservingReader.ADDRESS));
  }

  /** The packets that wait to be sent to the observing reader. */
  List<byte[]> outgoingToReader() {
    return host.takeOutgoing(ObservingReader.ADDRESS::equals);
  }

  private RequestTracer tracer() {
    return (route, request, received, answer) -> {
      CompletableFuture<Response> response = answer.get();
      response.whenComplete(
          (done, thrown) -> {
            synchronized (answered) {
              answered.incrementAndGet();
              answered.notifyAll();
            }
          });
      return response;
    };
  }

  MirrorProxy mirror() {
    return mirror;
  }

  GatewayHost host() {
    return host;
  }

  DomainsOfMonth domains() {
    return domains;
  }

  /** Follows the feed until the gateway ends. */
  void follow(long after, Consumer<Change> follower) {
    following.add(store.changes(after, follower));
  }

  /** Does what the gateway does every second, if one has passed. */
  void tick() throws InterruptedException {
    if (time.micros() - lastTick >= ONE_SECOND.toNanos() / 1000) {
      lastTick = time.micros();
      directory.expire();
      mirror.expireCommands();
      mirror.forgetExpiredNames();
      store.awaitIdle();
    }
  }

  /** Takes a packet, and returns the packets to motes once the gateway has nothing to do. */
  List<byte[]> receive(byte[] packet) throws InterruptedException {
    accept(packet);
    return outgoing();
  }

  /** Takes a packet, and returns once the gateway has nothing to do. */
  void accept(byte[] packet) throws InterruptedException {
    tick();
    int before = answered.get();
    Optional<CoapPeek> arrived = host.receive(packet, time.micros() / 1000).map(CoapPeek::of);
    if (arrived.isPresent()) {
      Ipv6Address source = arrived.get().source();
      switch (expected(arrived.get())) {
        case ANSWER -> {
          if (!host.awaitOutgoing(source, WAIT_MILLIS)) {
            throw new IllegalStateException("a request was not answered: " + arrived.get());
          }
        }
        case SILENCE -> awaitAnswered(before);
        case ANYTHING -> host.awaitOutgoing(source, SILENT_MILLIS);
        case PROGRESS -> {
          if (!host.awaitOutgoing(source, asked, true, WAIT_MILLIS)) {
            throw new IllegalStateException("an answer had no effect: " + arrived.get());
          }
        }
        case NOTHING -> {}
      }
    }
    store.awaitIdle();
  }

  private void awaitAnswered(int before) throws InterruptedException {
    long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
    synchronized (answered) {
      while (answered.get() == before) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw new IllegalStateException("a request was not taken");
        }
        answered.wait(left);
      }
    }
  }

  private enum Expected {
    ANSWER,
    SILENCE,
    ANYTHING,
    /** The gateway's request goes on, or has ended. */
    PROGRESS,
    NOTHING
  }

  private Expected expected(CoapPeek message) {
    boolean fresh = seen.add(message.source() + (message.isRequest() ? " " : ":") + message.id());
    if (!message.isRequest()) {
      boolean progress = fresh && !message.isEmpty() && !asked.isDone();
      return progress ? Expected.PROGRESS : Expected.NOTHING;
    }
    if (!fresh && !message.confirmable()) {
      return Expected.ANYTHING;
    }
    return message.noResponse() && !message.confirmable() ? Expected.SILENCE : Expected.ANSWER;
  }

  /** Has the gateway answer a request that no mote sent. */
  Response answer(Request request) throws InterruptedException {
    tick();
    Response response = dispatcher.answer(request).join();
    store.awaitIdle();
    return response;
  }

  /** The address of a mote, as {@code mesh_address} of mote-firmware/bench/mesh.c makes it. */
  static Ipv6Address address(int mote) {
    return new Ipv6Address(PREFIX, 0x0056_4947_494c_0000L | mote);
  }

  @Override
  public void close() {
    client.attach(null);
    coap.close();
    following.forEach(Store.Subscription::close);
    events.close();
    mirror.close();
    directory.close();
    records.close();
    store.close();
    counters.close();
  }
}
