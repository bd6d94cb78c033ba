package dev.vigil.border.config;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.tun.PacketFilter;

/**
 * The TUN interface through which the kernel and hosts outside reach the mesh. Needs CAP_NET_ADMIN,
 * or an interface that an administrator made for this process's user.
 *
 * @param device the name of the interface
 * @param kernelAddress the kernel's address in the mesh prefix, for instance fd00::1; motes reach
 *     programs on this machine at this address
 * @param filter which flows may start, in either direction
 * @param perSource packets per second that one source may send into the mesh
 * @param total packets per second that all sources together may send into the mesh
 */
public record TunConfig(
    String device, Ipv6Address kernelAddress, PacketFilter filter, double perSource, double total) {
  /** Checks the ranges. */
  public TunConfig {
    if (!(perSource > 0 && total > 0)) {
      throw new IllegalArgumentException("rate limits must be above 0 packets per second");
    }
  }

  /**
   * {@link PacketFilter#DEFAULT}; ten packets per second from one source, fifty from all sources
   * together.
   */
  public static TunConfig defaults(String device, Ipv6Address kernelAddress) {
    return new TunConfig(device, kernelAddress, PacketFilter.DEFAULT, 10, 50);
  }

  /** The same interface with another filter. */
  public TunConfig withFilter(PacketFilter other) {
    return new TunConfig(device, kernelAddress, other, perSource, total);
  }
}
