package dev.vigil.border.routing;

import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.TunConfig;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.pipeline.PipelineThread;
import dev.vigil.border.tun.FilterDrop;
import dev.vigil.border.tun.PacketFilter;
import dev.vigil.border.tun.PacketRateLimiter;
import dev.vigil.border.tun.RouterAdvertiser;
import dev.vigil.border.tun.StatefulFirewall;
import dev.vigil.border.tun.TunDevice;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The uplink from the mesh to the kernel and, through the kernel, to other hosts: TUN device,
 * firewall, rate limits, router advertisements. Belongs to the pipeline thread.
 */
public final class TunUplink implements AutoCloseable {
  private static final int PREFIX_BITS = 64;

  /**
   * The number of packets from the kernel that may wait. The limit leaves room for radios during a
   * flood at the interface.
   */
  private static final int MAX_WAITING = 256;

  private final TunConfig config;
  private final Ipv6Address prefix;
  private final TunDevice device;
  private final StatefulFirewall firewall;
  private final RouterAdvertiser advertiser;
  private final PipelineThread pipeline;
  private final PipelineThread.Quota quota;
  private final DropCounters drops;

  /** Set before the device's thread is started. */
  private @Nullable Router router;

  public TunUplink(
      TunConfig config,
      MeshConfig mesh,
      DropCounters drops,
      PipelineThread pipeline,
      RandomGenerator random)
      throws IOException {
    this.config = config;
    this.prefix = mesh.prefix();
    this.drops = drops;
    this.pipeline = pipeline;
    this.quota = pipeline.quota(MAX_WAITING);
    long now = pipeline.nowMillis();
    Ipv6Address self = Ipv6Address.linkLocal(mesh.eui64().interfaceId());
    this.advertiser = new RouterAdvertiser(prefix, self, random, now);
    PacketRateLimiter limiter = new PacketRateLimiter(config.perSource(), config.total(), now);
    this.firewall = new StatefulFirewall(config.filter(), limiter, prefix, config.kernelAddress());
    this.device =
        new TunDevice(config.device(), config.kernelAddress(), PREFIX_BITS, this::received);
  }

  /** Starts reading from the kernel. Packets are passed to the router. */
  public void start(Router target) {
    router = target;
    device.start();
  }

  /** Called on the device's thread: queues the packet for the pipeline. */
  private void received(byte[] octets) {
    if (!quota.offer(() -> route(octets))) {
      drops.count(BridgeDrop.PIPELINE_FULL);
    }
  }

  private void route(byte[] octets) {
    Router target = router;
    if (target == null) {
      return;
    }
    try {
      target.fromUplink(this, octets, pipeline.nowMillis());
    } catch (WireException e) {
      drops.count(e.reason());
    }
  }

  /**
   * Whether an address lies outside the mesh: the kernel's own address, or an address of another
   * prefix.
   */
  boolean isOutside(Ipv6Address address) {
    return address.equals(config.kernelAddress()) || address.high() != prefix.high();
  }

  /** Whether a packet from outside may enter the mesh. */
  boolean admits(Ipv6Packet packet) throws WireException {
    return passes(PacketFilter.Direction.IN, packet);
  }

  private boolean passes(PacketFilter.Direction direction, Ipv6Packet packet) throws WireException {
    FilterDrop drop = firewall.check(direction, packet, pipeline.nowMillis());
    if (drop != null) {
      drops.count(drop);
    }
    return drop == null;
  }

  /** Passes a packet of the mesh to the kernel, if the firewall allows it. */
  void send(Ipv6Packet packet) throws WireException {
    if (passes(PacketFilter.Direction.OUT, packet)) {
      write(packet);
    }
  }

  private void write(Ipv6Packet packet) {
    try {
      device.write(packet.encode());
    } catch (IOException e) {
      drops.count(BridgeDrop.TUN_FAILED);
    }
  }

  /** Sends router advertisements that are due. */
  public void tick() {
    advertiser.tick(pipeline.nowMillis()).ifPresent(this::write);
  }

  /** Takes any packet from the interface, and answers it if it is a router solicitation. */
  void receivedOnLink(Ipv6Packet packet) throws WireException {
    advertiser.received(packet, pipeline.nowMillis()).ifPresent(this::write);
  }

  /**
   * Withdraws the route at the interface and closes the interface. Called after the pipeline has
   * ended.
   */
  @Override
  public void close() {
    write(advertiser.withdrawal());
    device.close();
  }
}
