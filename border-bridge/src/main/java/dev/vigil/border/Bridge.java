package dev.vigil.border;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.host.Host;
import dev.vigil.border.host.Mesh;
import dev.vigil.border.host.MeshConnector;
import dev.vigil.border.host.MeshSocket;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.border.rpl.RplRoot;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.time.Clock;
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
public final class Bridge implements AutoCloseable {
  /** Where CoAP is served. */
  public static final int COAP_PORT = 5683;

  /** Where CoAPS is. */
  public static final int COAPS_PORT = 5684;

  private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
  private static final long EXPIRE_EVERY_MILLIS = 500;

  /** Packets of the kernel that may wait: what floods the interface leaves radios their places. */
  private static final int MAX_FROM_KERNEL = 256;

  private final BridgeConfig config;
  private final Drops drops = new Drops();
  private final NeighbourTable neighbours = new NeighbourTable();
  private final Captures captures;
  private final Pipeline pipeline;
  private final Pipeline.Share fromKernel;
  private final LinkGuard guard;
  private final Intake intake;
  private final Host host = new Host(drops::count);
  private final Radios radios;
  private final @Nullable RplRoot rpl;
  private final @Nullable World world;
  private final Router router;
  private final Dodag dodag;
  private final Mesh mesh;
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
    this.fromKernel = pipeline.share(MAX_FROM_KERNEL);
    Radios opened = null;
    try {
      this.guard = new LinkGuard(config.protection(), memory);
      this.intake = new Intake(pipeline, drops, guard);
      LinkPort.Shared shared =
          new LinkPort.Shared(config, guard, neighbours, captures, drops, pipeline, clock);
      opened = new Radios(shared, intake, nanoTime, random);
      this.rpl = config.rpl() ? root(memory, random) : null;
      this.world = world(config.tun(), random);
      this.router = new Router(host, rpl, opened.ports(), opened.boards(), world, shared);
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      captures.close();
      throw e;
    }
    this.radios = opened;
    host.addAddress(config.meshAddress());
    this.dodag = new Dodag(rpl, router, pipeline, drops);
    this.mesh = new MeshHost(host, router, pipeline, drops, config.meshAddress());
  }

  private RplRoot root(BridgeMemory memory, RandomGenerator random) {
    return new RplRoot(
        config.meshAddress(),
        config.prefix(),
        new RplVersionMemory(memory),
        random,
        drops::count,
        pipeline.nowMillis());
  }

  private @Nullable World world(@Nullable TunConfig tun, RandomGenerator random)
      throws IOException {
    return tun == null
        ? null
        : new World(tun, config, drops, pipeline::nowMillis, random, this::fromKernel);
  }

  /** The device's own thread comes in here and leaves at once. */
  private void fromKernel(byte[] octets) {
    boolean taken =
        fromKernel.offer(
            () -> {
              try {
                router.fromWorld(octets, pipeline.nowMillis());
              } catch (WireException e) {
                drops.count(e.reason());
              }
            });
    if (!taken) {
      drops.count(BridgeDrop.PIPELINE_FULL);
    }
  }

  /** Starts the pipeline and the radios. */
  public void start() throws IOException {
    pipeline.start();
    radios.start(this::linkUp);
    if (world != null) {
      world.start();
    }
  }

  private void linkUp(LinkPort port, Eui64 eui64) {
    port.up(eui64);
    host.addAddress(Ipv6Address.linkLocal(eui64.interfaceId()));
    Ipv6Address self = new Ipv6Address(config.prefix().high(), eui64.interfaceId());
    host.addAddress(self);
    if (rpl != null) {
      rpl.alsoRoot(self);
    }
  }

  /**
   * Stops everything; the sockets and ports are free afterwards. First what brings work, then the
   * pipeline, then what it writes to.
   */
  @Override
  public void close() {
    radios.close();
    pipeline.close();
    if (world != null) {
      world.close();
    }
    captures.close();
  }

  /** UDP on the bridge's own IPv6 host. */
  public Mesh mesh() {
    return mesh;
  }

  /** A Californium connector for CoAP at port 5683 over the radio. */
  public Connector connector() {
    return connector(COAP_PORT);
  }

  /** A Californium connector for another UDP port over the radio. */
  public Connector connector(int port) {
    return new MeshConnector(mesh, port);
  }

  /** A UDP socket over the radio at {@link #COAPS_PORT}, for DTLS. Listens until it is closed. */
  public DatagramSocket secureSocket() throws SocketException {
    return new MeshSocket(mesh, COAPS_PORT);
  }

  /** The radios and whether they work. */
  public List<RadioStatus> radios() {
    return radios.ports().stream().map(LinkPort::status).toList();
  }

  /** The nodes heard directly, the latest first. */
  public List<Neighbour> neighbours() {
    return neighbours.snapshot();
  }

  /** The nodes of the DODAG, as of a moment ago. */
  public List<RplNode> topology() {
    return dodag.nodes();
  }

  /** The version of the DODAG, as of a moment ago; empty if the bridge is no root. */
  public OptionalInt dodagVersion() {
    return dodag.version();
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
    return radios.etherPort();
  }

  /** Has all motes join a new version of the DODAG. */
  public void globalRepair() {
    dodag.globalRepair();
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
    dodag.refreshRoutes();
  }

  private final class Work implements Pipeline.Work {
    @Override
    public void tick(long nowMillis) {
      if (nowMillis >= expireAt) {
        expireAt = nowMillis + EXPIRE_EVERY_MILLIS;
        radios.ports().forEach(port -> port.expire(nowMillis));
        if (world != null) {
          world.tick();
        }
        dodag.show(nowMillis);
      }
      dodag.tick();
    }

    @Override
    public long deadline() {
      return Math.min(expireAt, dodag.deadline());
    }

    @Override
    public void batchDone(long nowMillis) {
      intake.deliver(router, nowMillis);
    }
  }
}
