package dev.vigil.gateway.network;

import dev.vigil.border.BridgeConfig;
import dev.vigil.border.RadioConfig;
import dev.vigil.border.ipv6.Ipv6Address;
import java.net.BindException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words about the radio. */
final class RadioHints {
  private RadioHints() {}

  static String linkLocal(BridgeConfig config) {
    return Ipv6Address.linkLocal(config.eui64().interfaceId()).toString();
  }

  /** What to do about it, where that is known. */
  static String wayOut(Throwable thrown, BridgeConfig config) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof BindException) {
        return " (UDP port "
            + config.radios().stream().flatMap(RadioHints::port).collect(Collectors.joining(", "))
            + "): stop what listens there (ss -lunp), or choose another with --zep-port";
      }
    }
    return "";
  }

  private static Stream<String> port(RadioConfig radio) {
    return switch (radio) {
      case RadioConfig.Virtual virtual -> Stream.of(Integer.toString(virtual.port()));
      case RadioConfig.Zep _, RadioConfig.Serial _, RadioConfig.Tcp _, RadioConfig.Tunslip6 _ ->
          Stream.empty();
    };
  }
}
