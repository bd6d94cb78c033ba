package dev.vigil.border;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.tun.Advertiser;
import dev.vigil.border.tun.FilterDrop;
import dev.vigil.border.tun.Gate;
import dev.vigil.border.tun.PacketFilter;
import dev.vigil.border.tun.SourceLimit;
import dev.vigil.border.tun.Tun;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What lies beyond the mesh: the kernel, and through it other hosts. Filters and limits. */
final class World implements AutoCloseable {
  private static final int PREFIX_BITS = 64;

  private final TunConfig config;
  private final Tun tun;
  private final Gate gate;
  private final Advertiser advertiser;
  private final LongSupplier nowMillis;
  private final Drops drops;

  /**
   * @param packets hears what the kernel sends into the mesh, on the device's own thread
   */
  World(
      TunConfig config,
      BridgeConfig mesh,
      Drops drops,
      LongSupplier nowMillis,
      RandomGenerator random,
      Consumer<byte[]> packets)
      throws IOException {
    this.config = config;
    this.drops = drops;
    Ipv6Address self = Ipv6Address.linkLocal(mesh.eui64().interfaceId());
    this.advertiser = new Advertiser(mesh.prefix(), self, random, nowMillis.getAsLong());
    this.nowMillis = nowMillis;
    SourceLimit limit =
        new SourceLimit(config.perSource(), config.together(), nowMillis.getAsLong());
    this.gate = new Gate(config.filter(), limit, mesh.prefix(), config.kernelAddress());
    this.tun = new Tun(config.device(), config.kernelAddress(), PREFIX_BITS, packets);
  }

  void start() {
    tun.start();
  }

  /** Whether the way to an address leads out of the mesh. */
  boolean isOutside(Ipv6Address address, Ipv6Address mesh) {
    return address.equals(config.kernelAddress()) || address.high() != mesh.high();
  }

  /** Whether a packet of the world may enter. */
  boolean admits(Ipv6Packet packet) throws WireException {
    return passes(PacketFilter.Way.IN, packet);
  }

  private boolean passes(PacketFilter.Way way, Ipv6Packet packet) throws WireException {
    FilterDrop drop = gate.check(way, packet, nowMillis.getAsLong());
    if (drop != null) {
      drops.count(drop);
    }
    return drop == null;
  }

  /** Hands a packet of the mesh to the kernel. */
  void send(Ipv6Packet packet) throws WireException {
    if (!passes(PacketFilter.Way.OUT, packet)) {
      return;
    }
    write(packet);
  }

  private void write(Ipv6Packet packet) {
    try {
      tun.write(packet.encode());
    } catch (IOException e) {
      drops.count(BridgeDrop.TUN_FAILED);
    }
  }

  /** Time has passed: hosts at the interface are told of the mesh. */
  void tick() {
    advertiser.tick(nowMillis.getAsLong()).ifPresent(this::write);
  }

  /** A packet of the interface itself, which no router passes on. */
  void local(Ipv6Packet packet) throws WireException {
    advertiser.received(packet, nowMillis.getAsLong()).ifPresent(this::write);
  }

  /**
   * Hosts at the interface are told that there is no way any more. After the pipeline has ended.
   */
  @Override
  public void close() {
    write(advertiser.last());
    tun.close();
  }
}
