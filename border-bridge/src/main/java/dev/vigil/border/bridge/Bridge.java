package dev.vigil.border.bridge;

import dev.vigil.border.associations.AssociationSequences;
import dev.vigil.border.associations.SecurityAssociations;
import dev.vigil.border.capture.Captures;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.TunConfig;
import dev.vigil.border.host.Host;
import dev.vigil.border.host.JdkAddresses;
import dev.vigil.border.host.MeshConnector;
import dev.vigil.border.host.MeshSocket;
import dev.vigil.border.host.UdpTransport;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.link.IpsecSavings;
import dev.vigil.border.link.LastHopTable;
import dev.vigil.border.link.LinkContext;
import dev.vigil.border.link.LinkPort;
import dev.vigil.border.link.LinkSecurityState;
import dev.vigil.border.link.LinkStatistics;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.link.NeighbourListener;
import dev.vigil.border.link.NeighbourTable;
import dev.vigil.border.link.RadioStatus;
import dev.vigil.border.link.SavingListener;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.pipeline.PipelineThread;
import dev.vigil.border.routing.Dodag;
import dev.vigil.border.routing.MeshUdpTransport;
import dev.vigil.border.routing.ProtectedHost;
import dev.vigil.border.routing.RadioOutput;
import dev.vigil.border.routing.Router;
import dev.vigil.border.routing.TunUplink;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.border.rpl.RplRoot;
import dev.vigil.border.storage.DurableCounters;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.SocketException;
import java.time.Clock;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.eclipse.californium.elements.Connector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The border bridge: radios, link layer, router, RPL root and IPv6 host, wired together. All public
 * methods may be called from any thread.
 */
public final class Bridge implements AutoCloseable {
  /** UDP port of CoAP. */
  public static final int COAP_PORT = 5683;

  /** UDP port of CoAPS. */
  public static final int COAPS_PORT = 5684;

  private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
  private static final long EXPIRE_EVERY_MILLIS = 500;

  private final Ipv6Address prefix;
  private final LongSupplier nanoTime;
  private final DropCounters drops = new DropCounters();
  private final NeighbourTable neighbours = new NeighbourTable();
  private final LastHopTable lastHops = new LastHopTable();
  private final IpsecSavings savings = new IpsecSavings();
  private final Captures captures;
  private final PipelineThread pipeline;
  private final LinkSecurityState linkSecurity;
  private final FrameReceiver receiver;
  private final Host host = new Host(drops::count);
  private final BridgeAssociations associations;
  private final Radios radios;
  private final @Nullable RplRoot rpl;
  private final @Nullable TunUplink uplink;
  private final Router router;
  private final Dodag dodag;
  private final UdpTransport udp;
  private long expireAt;

  /**
   * Opens radios, capture file and TUN interface. {@link #start} starts the threads.
   *
   * @param counters frame counters and the DODAG version; used by the pipeline thread
   * @param nanoTime the clock of all timers, as {@link System#nanoTime}
   * @param random for sequence numbers, tags, timers, lossy edges
   * @throws IOException if a radio, the capture file, the topology file or the TUN interface cannot
   *     be opened
   */
  public Bridge(
      BridgeConfig config,
      DurableCounters counters,
      Clock clock,
      LongSupplier nanoTime,
      RandomGenerator random)
      throws IOException {
    this.prefix = config.mesh().prefix();
    this.nanoTime = nanoTime;
    this.captures = new Captures(config.capture(), clock, nanoTime);
    this.pipeline = new PipelineThread(nanoTime, new Hooks());
    SecurityAssociations databases = new SecurityAssociations(counters, random);
    this.associations = new BridgeAssociations(databases, pipeline);
    savings.addListener((direction, packet, octets) -> databases.saved(packet, octets));
    Radios opened = null;
    try {
      this.linkSecurity = new LinkSecurityState(config.linkSecurity(), counters);
      this.receiver = new FrameReceiver(pipeline, drops, linkSecurity);
      LinkContext context =
          new LinkContext(
              config.mesh(),
              linkSecurity,
              neighbours,
              lastHops,
              savings,
              new RadioSequences(new AssociationSequences(databases)),
              captures,
              drops,
              pipeline,
              clock);
      opened = new Radios(config, context, receiver, nanoTime, random);
      this.rpl = Dodag.root(config.mesh(), counters, random, drops, pipeline.nowMillis());
      TunConfig tun = config.tun();
      this.uplink = tun == null ? null : new TunUplink(tun, config.mesh(), drops, pipeline, random);
      RadioOutput output = new RadioOutput(opened.ports(), context);
      this.router =
          new Router(
              new ProtectedHost(host, databases, pipeline, drops),
              rpl,
              output,
              opened.tunslipLinks(),
              uplink,
              context);
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      captures.close();
      throw e;
    }
    this.radios = opened;
    host.addAddress(config.mesh().address());
    this.dodag = new Dodag(rpl, router, pipeline, drops);
    this.udp = new MeshUdpTransport(host, router, pipeline, drops, config.mesh().address());
  }

  /** Starts the pipeline, the radios and the TUN interface. */
  public void start() throws IOException {
    pipeline.start();
    radios.start(this::linkUp);
    if (uplink != null) {
      uplink.start(router);
    }
  }

  private void linkUp(LinkPort port, Eui64 eui64) {
    port.up(eui64);
    host.addAddress(Ipv6Address.linkLocal(eui64.interfaceId()));
    Ipv6Address meshAddress = new Ipv6Address(prefix.high(), eui64.interfaceId());
    host.addAddress(meshAddress);
    if (rpl != null) {
      rpl.addRootAddress(meshAddress);
    }
  }

  /**
   * Stops all threads and frees sockets and ports: first the sources of work, then the pipeline,
   * then its outputs. Pending tasks are dropped.
   */
  @Override
  public void close() {
    radios.close();
    pipeline.close();
    if (uplink != null) {
      uplink.close();
    }
    captures.close();
  }

  /** UDP on the bridge's own IPv6 host. */
  public UdpTransport udp() {
    return udp;
  }

  /** A Californium connector for CoAP at {@link #COAP_PORT} over the radio. */
  public Connector connector() {
    return connector(COAP_PORT);
  }

  /** A Californium connector for another UDP port over the radio. */
  public Connector connector(int port) {
    return new MeshConnector(udp, port, nanoTime);
  }

  /**
   * A UDP socket over the radio at {@link #COAPS_PORT}, for DTLS. The socket is bound until it is
   * closed.
   */
  public DatagramSocket secureSocket() throws SocketException {
    return new MeshSocket(udp, COAPS_PORT);
  }

  /** The state of the radios that carry frames. */
  public List<RadioStatus> radios() {
    return radios.ports().stream().map(LinkPort::status).toList();
  }

  /** The nodes heard directly, most recently heard first. */
  public List<Neighbour> neighbours() {
    return neighbours.snapshot();
  }

  /** The nodes of the DODAG, at most half a second old. */
  public List<RplNode> topology() {
    return dodag.nodes();
  }

  /** The version of the DODAG, at most half a second old; empty if the bridge is not a root. */
  public OptionalInt dodagVersion() {
    return dodag.version();
  }

  /** Adds a listener. Neighbours that are already in the table are not announced to it. */
  public void addNeighbourListener(NeighbourListener listener) {
    neighbours.addListener(listener);
  }

  /**
   * Adds a listener for the octets that compressed AH and ESP headers save on the air, per packet.
   */
  public void addSavingListener(SavingListener listener) {
    savings.addListener(listener);
  }

  /** The traffic of nodes that did not fit into the neighbour table. */
  public LinkStatistics otherNeighbours() {
    return neighbours.others();
  }

  /**
   * The interface identifier of the neighbour through which an address was last heard; empty for an
   * address that no radio heard.
   */
  public OptionalLong neighbourOf(Inet6Address address) {
    return lastHops.neighbourOf(JdkAddresses.of(address));
  }

  /** The number of nodes heard directly. */
  public int neighbourCount() {
    return neighbours.size();
  }

  /** The number of drops for one of the {@link #dropReasons}. */
  public long dropped(Enum<?> reason) {
    return drops.of(reason);
  }

  /** All reasons to drop a frame or packet. */
  public static List<Enum<?>> dropReasons() {
    return DropReasons.ALL;
  }

  /** The numbers of drops above zero, by reason. */
  public SortedMap<String, Long> drops() {
    return drops.snapshot();
  }

  /** The capture file and live captures. */
  public Captures captures() {
    return captures;
  }

  /** The UDP port of the ether; empty without a virtual radio. */
  public OptionalInt etherPort() {
    return radios.etherPort();
  }

  /** Moves all motes to a new DODAG version (RFC 6550, section 3.2.2). */
  public void globalRepair() {
    dodag.globalRepair();
  }

  /** Asks all motes to announce their routes again (RFC 6550, section 9.6). */
  public void refreshRoutes() {
    dodag.refreshRoutes();
  }

  /**
   * Accepts any frame counter in a neighbour's next frame, because the neighbour restarted with a
   * lower counter. Until that frame comes, recorded frames of the neighbour would be accepted too.
   *
   * @return false if no counter of the neighbour was stored; fails if the counters could not be
   *     saved
   */
  public CompletableFuture<Boolean> forgive(Eui64 neighbour) {
    CompletableFuture<Boolean> forgiven = new CompletableFuture<>();
    pipeline.execute(
        () -> {
          try {
            boolean known = linkSecurity.forgive(neighbour);
            if (known) {
              LOG.warn("frame counter of neighbour {} forgiven", neighbour);
            }
            forgiven.complete(known);
          } catch (IOException e) {
            forgiven.completeExceptionally(e);
          }
        });
    return forgiven;
  }

  /** The associations that end here. */
  public BridgeAssociations associations() {
    return associations;
  }

  private final class Hooks implements PipelineThread.Hooks {
    @Override
    public void tick(long nowMillis) {
      if (nowMillis >= expireAt) {
        expireAt = nowMillis + EXPIRE_EVERY_MILLIS;
        radios.ports().forEach(port -> port.expire(nowMillis));
        if (uplink != null) {
          uplink.tick();
        }
        dodag.publish(nowMillis);
      }
      dodag.tick();
    }

    @Override
    public long deadline() {
      return Math.min(expireAt, dodag.deadline());
    }

    @Override
    public void batchDone(long nowMillis) {
      receiver.deliver(router, nowMillis);
    }
  }
}
