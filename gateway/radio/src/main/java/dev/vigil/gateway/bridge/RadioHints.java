package dev.vigil.gateway.bridge;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ipv6.Ipv6Address;
import java.net.BindException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Texts about the radio for operators. */
final class RadioHints {
  private RadioHints() {}

  /**
   * The gateway's link-local address, or its mesh address if all radios are boards, which have
   * EUI-64s of their own.
   */
  static Ipv6Address address(BridgeConfig config) {
    return config.radios().stream().anyMatch(RadioHints::hasConfiguredEui64)
        ? Ipv6Address.linkLocal(config.mesh().eui64().interfaceId())
        : config.mesh().address();
  }

  private static boolean hasConfiguredEui64(RadioConfig radio) {
    return switch (radio) {
      case RadioConfig.Virtual _, RadioConfig.Zep _ -> true;
      case RadioConfig.Serial _, RadioConfig.Tcp _, RadioConfig.Tunslip6 _ -> false;
    };
  }

  /** A hint how to fix a failed start; empty for an unknown cause. */
  static String wayOut(Throwable thrown, BridgeConfig config) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof BindException) {
        return " (UDP port "
            + config.radios().stream().flatMap(RadioHints::port).collect(Collectors.joining(", "))
            + "): stop the program that listens there (ss -lunp), or choose another port with"
            + " --zep-port";
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
