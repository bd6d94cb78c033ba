package dev.vigil.gateway.tls;

import dev.vigil.gateway.settings.HostName;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names and addresses under which clients reach this machine. */
final class OwnNames {
  private static final Logger log = LoggerFactory.getLogger(OwnNames.class);

  private static final String NAME = "(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

  private OwnNames() {}

  /**
   * Loopback, the host's name, the addresses of its interfaces, and the hosts of the settings.
   * Link-local addresses are left out: a URI of one needs a zone, which certificates cannot name.
   */
  static Set<String> of(HttpProperties http) {
    Set<String> names = new TreeSet<>(Set.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"));
    http.allowedHosts().forEach(host -> add(names, host));
    HostName.read().ifPresent(name -> add(names, name));
    try {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLinkLocalAddress())
          .forEach(address -> names.add(canonical(address)));
    } catch (SocketException e) {
      log.debug("the addresses of this machine are unknown", e);
    }
    return names;
  }

  private static void add(Set<String> names, String host) {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    if (isAddress(bare)) {
      names.add(canonical(InetAddress.ofLiteral(bare)));
    } else if (bare.matches(NAME)) {
      names.add(bare.toLowerCase(Locale.ROOT));
    }
  }

  static boolean isAddress(String name) {
    try {
      InetAddress.ofLiteral(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** As certificates show addresses: without a zone. */
  private static String canonical(InetAddress address) {
    return address.getHostAddress().replaceFirst("%.*", "");
  }
}
