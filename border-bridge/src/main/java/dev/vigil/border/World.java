package dev.vigil.border;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.tun.PacketFilter;
import dev.vigil.border.tun.SourceLimit;
import dev.vigil.border.tun.Tun;
import java.io.IOException;
import java.util.function.Consumer;

/** What lies beyond the mesh: the kernel, and through it other hosts. Filters and limits. */
final class World implements AutoCloseable {
  private static final int PREFIX_BITS = 64;

  private final TunConfig config;
  private final Tun tun;
  private final SourceLimit limit;
  private final Drops drops;

  World(TunConfig config, Drops drops, long nowMillis, Consumer<byte[]> packets)
      throws IOException {
    this.config = config;
    this.drops = drops;
    this.limit = new SourceLimit(config.perSource(), config.together(), nowMillis);
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
  boolean admits(Ipv6Packet packet, long nowMillis) {
    if (!config.filter().allows(PacketFilter.Way.IN, packet)) {
      drops.count(BridgeDrop.FILTERED);
      return false;
    }
    if (!limit.take(packet.source(), nowMillis)) {
      drops.count(BridgeDrop.RATE_LIMIT);
      return false;
    }
    return true;
  }

  /** Hands a packet of the mesh to the kernel. */
  void send(Ipv6Packet packet) {
    if (!config.filter().allows(PacketFilter.Way.OUT, packet)) {
      drops.count(BridgeDrop.FILTERED);
      return;
    }
    try {
      tun.write(packet.encode());
    } catch (IOException e) {
      drops.count(BridgeDrop.TUN_FAILED);
    }
  }

  @Override
  public void close() {
    tun.close();
  }
}
