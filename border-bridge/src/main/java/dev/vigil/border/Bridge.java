package dev.vigil.border;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.host.Datagram;
import dev.vigil.border.host.Host;
import dev.vigil.border.host.Mesh;
import dev.vigil.border.host.MeshConnector;
import dev.vigil.border.host.UdpReceiver;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.radio.PacketLink;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.border.rpl.RplRoot;
import dev.vigil.border.sixlowpan.Contexts;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.tun.Advertiser;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.eclipse.californium.elements.Connector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The border bridge: radios, 802.15.4, 6LoWPAN, the RPL root and the IPv6 host, wired.
 *
 * <p>Threads: each radio link has one, which hands frames to the one pipeline thread, which owns
 * everything between the radios and the host. All public methods may be called from any thread.
 */
public final class Bridge implements AutoCloseable, Mesh {
  /** Where CoAP is served. */
  public static final int COAP_PORT = 5683;

  private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
  private static final long EXPIRE_EVERY_MILLIS = 500;

  private final BridgeConfig config;
  private final Drops drops = new Drops();
  private final NeighbourTable neighbours = new NeighbourTable();
  private final Captures captures;
  private final Pipeline pipeline;
  private final LinkGuard guard;
  private final Intake intake;
  private final Host host = new Host(drops::count);
  private final @Nullable RplRoot rpl;
  private final @Nullable World world;
  private final Router router;
  private final List<LinkPort> ports = new ArrayList<>();
  private final List<RadioLink> links = new ArrayList<>();
  private final List<PacketLink> boards = new ArrayList<>();
  private volatile List<RplNode> topology = List.of();
  private volatile int version;
  private long expireAt;

  /**
   * Makes a bridge from its parts; nothing runs before {@link #start}.
   *
   * @param memory for counters and versions that must not repeat; used by the pipeline thread
   * @param nanoTime as {@link System#nanoTime}
   * @param random for sequence numbers, tags, timers, lossy edges
   * @throws IOException if a socket, the capture file or the topology file cannot be had
   */
  public Bridge(
      BridgeConfig config,
      BridgeMemory memory,
      Clock clock,
      LongSupplier nanoTime,
      RandomGenerator random)
      throws IOException {
    this.config = config;
    this.captures = new Captures(config.capture(), clock);
    this.pipeline = new Pipeline(nanoTime, new Work());
    this.guard = new LinkGuard(config.protection(), memory);
    this.intake = new Intake(pipeline, drops, guard);
    LinkPort.Shared shared =
        new LinkPort.Shared(config, guard, neighbours, captures, drops, pipeline, clock);
    this.world = open(shared, nanoTime, random);
    host.addAddress(config.meshAddress());
    this.rpl = config.rpl() ? root(memory, random) : null;
    this.version = rpl == null ? 0 : rpl.version();
    this.router = new Router(host, rpl, ports, boards, world, shared);
  }

  private @Nullable World world(@Nullable TunConfig tun, RandomGenerator random)
      throws IOException {
    return tun == null
        ? null
        : new World(
            tun,
            config.prefix(),
            new Advertiser(
                config.prefix(),
                Ipv6Address.linkLocal(config.eui64().interfaceId()),
                random,
                pipeline.nowMillis()),
            drops,
            pipeline::nowMillis,
            octets -> {
              if (!pipeline.offer(() -> fromWorld(octets))) {
                drops.count(BridgeDrop.PIPELINE_FULL);
              }
            });
  }

  private void fromWorld(byte[] octets) {
    World from = world;
    if (from != null) {
      try {
        router.fromWorld(from, octets, pipeline.nowMillis());
      } catch (WireException e) {
        drops.count(e.reason());
      }
    }
  }

  /** Opens the radios and the kernel's way; what was opened is closed if something is missing. */
  private @Nullable World open(
      LinkPort.Shared shared, LongSupplier nanoTime, RandomGenerator random) throws IOException {
    Contexts contexts = Contexts.mesh(config.prefix());
    try {
      for (RadioConfig radio : config.radios()) {
        if (radio instanceof RadioConfig.Tunslip6(RadioConfig line)) {
          boards.add(Radios.packets(line, config.prefix(), intake.board(), nanoTime));
          continue;
        }
        RadioLink link = Radios.open(radio, config, nanoTime, random);
        links.add(link);
        LowpanCodec codec = new LowpanCodec(contexts, random.nextInt(0x10000));
        ports.add(new LinkPort(link, codec, shared, random));
      }
      return world(config.tun(), random);
    } catch (IOException e) {
      links.forEach(RadioLink::close);
      captures.close();
      throw e;
    }
  }

  private RplRoot root(BridgeMemory memory, RandomGenerator random) {
    return new RplRoot(
        config.meshAddress(),
        config.prefix(),
        new RplVersionMemory(memory),
        random,
        pipeline.nowMillis());
  }

  /** Starts the pipeline and the radios. */
  public void start() throws IOException {
    pipeline.start();
    for (int i = 0; i < links.size(); i++) {
      links.get(i).start(intake.radio(ports.get(i), this::linkUp));
    }
    boards.forEach(PacketLink::start);
    if (world != null) {
      world.start();
    }
  }

  /** Stops everything; the sockets and ports are free afterwards. */
  @Override
  public void close() {
    links.forEach(RadioLink::close);
    boards.forEach(PacketLink::close);
    if (world != null) {
      world.close();
    }
    pipeline.close();
    captures.close();
  }

  /** A Californium connector for CoAP at port 5683 over the radio. */
  public Connector connector() {
    return connector(COAP_PORT);
  }

  /** A Californium connector for another UDP port over the radio. */
  public Connector connector(int port) {
    return new MeshConnector(this, port);
  }

  /** The radios and whether they work. */
  public List<RadioStatus> radios() {
    return ports.stream().map(LinkPort::status).toList();
  }

  /** The nodes heard directly, the latest first. */
  public List<Neighbour> neighbours() {
    return neighbours.snapshot();
  }

  /** The nodes of the DODAG, as of a moment ago. */
  public List<RplNode> topology() {
    return topology;
  }

  /** The version of the DODAG, as of a moment ago; empty if the bridge is no root. */
  public OptionalInt dodagVersion() {
    return rpl == null ? OptionalInt.empty() : OptionalInt.of(version);
  }

  /** Has figures of neighbours that come and go told; those there already are not. */
  public void watchNeighbours(NeighbourWatch watch) {
    neighbours.watch(watch);
  }

  /** What went to and from nodes that the table of neighbours had no room for. */
  public LinkFigures otherNeighbours() {
    return neighbours.others();
  }

  /** How many nodes are heard directly. */
  public int neighbourCount() {
    return neighbours.size();
  }

  /** How often something was dropped for one reason; {@link #dropReasons} are all there are. */
  public long dropped(Enum<?> reason) {
    return drops.of(reason);
  }

  /** Every reason to drop something. */
  public static List<Enum<?>> dropReasons() {
    return Drops.REASONS;
  }

  /** What was dropped, by reason. */
  public SortedMap<String, Long> drops() {
    return drops.snapshot();
  }

  /** Live captures are had from here. */
  public Captures captures() {
    return captures;
  }

  /** The UDP port of the ether, if there is one. */
  public OptionalInt etherPort() {
    return links.stream().flatMapToInt(link -> link.etherPort().stream()).findFirst();
  }

  /** Has all motes join a new version of the DODAG. */
  public void globalRepair() {
    pipeline.execute(() -> withRoot(RplRoot::globalRepair));
  }

  /**
   * Takes the next frame counter of a neighbour whatever it is, because it restarted with a lower
   * one. Frames recorded before could be played to the bridge until its next frame comes.
   *
   * @return false if no counter of it was known; fails if the memory did
   */
  public CompletableFuture<Boolean> forgive(Eui64 neighbour) {
    CompletableFuture<Boolean> forgiven = new CompletableFuture<>();
    pipeline.execute(
        () -> {
          try {
            boolean known = guard.forgive(neighbour);
            if (known) {
              LOG.warn("frame counter of {} forgiven", neighbour);
            }
            forgiven.complete(known);
          } catch (IOException e) {
            forgiven.completeExceptionally(e);
          }
        });
    return forgiven;
  }

  /** Has all motes announce their routes again. */
  public void refreshRoutes() {
    pipeline.execute(() -> withRoot(RplRoot::refreshRoutes));
  }

  @Override
  public boolean send(int sourcePort, Ipv6Address to, int port, byte[] payload, Sent sent) {
    return pipeline.offer(() -> sendNow(sourcePort, to, port, payload, sent));
  }

  private void sendNow(int sourcePort, Ipv6Address to, int port, byte[] payload, Sent sent) {
    Datagram datagram = new Datagram(router.sourceFor(to), sourcePort, to, port, payload);
    try {
      boolean routed = router.output(Host.packet(datagram), null);
      sent.done(routed ? null : new IOException("no route to " + to));
    } catch (WireException e) {
      drops.count(e.reason());
      sent.done(new IOException(e));
    }
  }

  @Override
  public void bind(int port, UdpReceiver receiver) {
    pipeline.execute(() -> host.bind(port, receiver));
  }

  @Override
  public void unbind(int port) {
    pipeline.execute(() -> host.unbind(port));
  }

  @Override
  public Ipv6Address address() {
    return config.meshAddress();
  }

  private interface RootAction {
    List<RplRoot.Send> apply(RplRoot root, long nowMillis);
  }

  private void withRoot(RootAction action) {
    RplRoot root = rpl;
    if (root != null) {
      long now = pipeline.nowMillis();
      try {
        router.send(action.apply(root, now), now);
      } catch (WireException e) {
        drops.count(e.reason());
      }
    }
  }

  private void linkUp(LinkPort port, Eui64 eui64) {
    port.up(eui64);
    host.addAddress(Ipv6Address.linkLocal(eui64.interfaceId()));
    Ipv6Address self = new Ipv6Address(config.prefix().high(), eui64.interfaceId());
    host.addAddress(self);
    RplRoot root = rpl;
    if (root != null) {
      root.alsoRoot(self);
    }
  }

  private final class Work implements Pipeline.Work {
    @Override
    public void tick(long nowMillis) {
      if (nowMillis >= expireAt) {
        expireAt = nowMillis + EXPIRE_EVERY_MILLIS;
        ports.forEach(port -> port.expire(nowMillis));
        if (world != null) {
          world.tick();
        }
        RplRoot root = rpl;
        if (root != null) {
          topology = root.nodes(nowMillis);
          version = root.version();
        }
      }
      withRoot(RplRoot::tick);
    }

    @Override
    public long deadline() {
      RplRoot root = rpl;
      return root == null ? expireAt : Math.min(expireAt, root.deadline());
    }

    @Override
    public void batchDone(long nowMillis) {
      intake.deliver(router, nowMillis);
    }
  }
}
