package dev.vigil.gateway.network;

import dev.vigil.border.BridgeConfig;
import dev.vigil.border.ipv6.Ipv6Address;
import java.net.BindException;

/** Words about the radio. */
final class RadioHints {
  private RadioHints() {}

  static String linkLocal(BridgeConfig config) {
    return Ipv6Address.linkLocal(config.eui64().interfaceId()).toString();
  }

  /** What to do about it, where that is known. */
  static String wayOut(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof BindException) {
        return ": stop what listens there (ss -lunp), or choose another with --zep-port";
      }
    }
    return "";
  }
}
