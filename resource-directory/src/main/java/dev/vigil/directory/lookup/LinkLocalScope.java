package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Caller;
import java.net.Inet6Address;
import java.net.NetworkInterface;

/** The network interface that scopes a link-local address (RFC 9176 section 3.4). */
public final class LinkLocalScope {
  private LinkLocalScope() {}

  /** The interface on which a link-local caller is received; empty for other addresses. */
  public static String of(Caller caller) {
    if (caller.source().getAddress() instanceof Inet6Address address
        && address.isLinkLocalAddress()) {
      NetworkInterface known = address.getScopedInterface();
      return known != null ? known.getName() : Integer.toString(address.getScopeId());
    }
    return "";
  }
}
