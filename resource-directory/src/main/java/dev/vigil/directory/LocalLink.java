package dev.vigil.directory;

import dev.vigil.directory.exchange.Caller;
import java.net.Inet6Address;
import java.net.NetworkInterface;

/** The network that a link-local address is local to. */
final class LocalLink {
  private LocalLink() {}

  /** The interface that a caller's link-local address came in by; empty for other addresses. */
  static String of(Caller caller) {
    if (caller.source().getAddress() instanceof Inet6Address address
        && address.isLinkLocalAddress()) {
      NetworkInterface known = address.getScopedInterface();
      return known != null ? known.getName() : Integer.toString(address.getScopeId());
    }
    return "";
  }
}
