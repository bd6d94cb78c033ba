package dev.vigil.border.host;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireException;
import java.net.Inet6Address;
import java.net.UnknownHostException;

/** The mesh's addresses as the JDK has them: without scope. */
final class Addresses {
  private Addresses() {}

  static Inet6Address inet(Ipv6Address address) {
    try {
      return Inet6Address.getByAddress(null, address.octets(), -1);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  static Ipv6Address of(Inet6Address address) {
    try {
      return Ipv6Address.of(address.getAddress());
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
  }
}
