package dev.vigil.border.host;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireException;
import java.net.Inet6Address;
import java.net.UnknownHostException;

/** Converts mesh addresses to the JDK's, without scope, and back. */
public final class JdkAddresses {
  private JdkAddresses() {}

  static Inet6Address inet(Ipv6Address address) {
    try {
      return Inet6Address.getByAddress(null, address.octets(), -1);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Ipv6Address of(Inet6Address address) {
    try {
      return Ipv6Address.of(address.getAddress());
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
  }
}
