package dev.vigil.border;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.tun.PacketFilter;

/**
 * The kernel's way into the mesh. Needs CAP_NET_ADMIN, or an interface that was made for this
 * process's user.
 *
 * @param device the interface's name
 * @param kernelAddress the kernel's address in the mesh prefix, fd00::1 for instance; motes reach
 *     this machine's programs there
 * @param filter what may start a conversation, either way
 * @param perSource packets a second that one source may send into the mesh
 * @param together packets a second that all sources may send into the mesh
 */
public record TunConfig(
    String device,
    Ipv6Address kernelAddress,
    PacketFilter filter,
    double perSource,
    double together) {
  /** Checks the ranges. */
  public TunConfig {
    if (!(perSource > 0 && together > 0)) {
      throw new IllegalArgumentException("limits are above 0 packets a second");
    }
  }

  /** What motes speak may pass; ten packets a second a source, fifty in all. */
  public static TunConfig usual(String device, Ipv6Address kernelAddress) {
    return new TunConfig(device, kernelAddress, PacketFilter.USUAL, 10, 50);
  }

  /** The same with another filter. */
  public TunConfig withFilter(PacketFilter other) {
    return new TunConfig(device, kernelAddress, other, perSource, together);
  }
}
