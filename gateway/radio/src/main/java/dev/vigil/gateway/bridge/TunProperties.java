package dev.vigil.gateway.bridge;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The TUN interface that connects the kernel to the mesh. Programs on this machine, and machines
 * that route through it, then reach the motes. It needs CAP_NET_ADMIN, or an interface that an
 * administrator created for the gateway's user: {@code ip tuntap add dev vigil0 mode tun user
 * vigil}.
 *
 * @param device name of the interface, for instance vigil0; empty: IPv6 ends in the gateway
 * @param address address of the kernel in the mesh; empty: the prefix followed by ::1
 */
public record TunProperties(@DefaultValue("") String device, @DefaultValue("") String address) {
  public TunProperties {
    if (!device.matches("[A-Za-z0-9._-]{0,15}")) {
      throw new IllegalArgumentException(
          "border.tun.device takes a name of up to 15 letters and digits, such as vigil0");
    }
  }
}
