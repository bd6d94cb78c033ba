package dev.vigil.gateway.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The kernel's way into the mesh, so that any program of this machine, or of others that route
 * through it, reaches motes. Needs CAP_NET_ADMIN, or an interface that an administrator made for
 * the gateway's user: {@code ip tuntap add dev vigil0 mode tun user vigil}.
 *
 * @param device the interface's name, for instance vigil0; empty: IPv6 ends in the gateway
 * @param address the kernel's address in the mesh; empty: the prefix with 1 behind it
 */
public record TunProperties(@DefaultValue("") String device, @DefaultValue("") String address) {
  public TunProperties {
    if (!device.matches("[A-Za-z0-9._-]{0,15}")) {
      throw new IllegalArgumentException(
          "border.tun.device takes a name of up to 15 letters and digits, such as vigil0");
    }
  }
}
