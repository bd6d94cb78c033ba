package dev.vigil.gateway.addresses;

import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.coap.link.UriAuthority;
import dev.vigil.gateway.coap.CoapProperties;
import dev.vigil.gateway.listening.ListeningAddress;
import dev.vigil.gateway.publish.MirrorProperties;
import dev.vigil.gateway.settings.HostName;
import dev.vigil.gateway.tls.HttpProperties;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The authorities of this gateway: each address and name of the machine and each name in the
 * settings, with each port that a server listens on.
 */
@Configuration(proxyBeanMethods = false)
class OwnAddresses {
  private static final Logger log = LoggerFactory.getLogger(OwnAddresses.class);

  /** Addresses come and go with interfaces. */
  private static final long REFRESH_MILLIS = 10_000;

  /**
   * @param until unix time in ms
   */
  private record Known(Set<InetAddress> addresses, Set<Integer> ports, long until) {}

  /** The resources that ask for these addresses are created before the servers listen. */
  @Bean
  OwnAuthorities ownAuthorities(
      ObjectProvider<ListeningAddress> servers,
      MirrorProperties mirror,
      HttpProperties http,
      CoapProperties coap,
      Clock clock) {
    Set<Integer> configured = ports(Stream.of(mirror.base()));
    Cache cache = new Cache(servers, configured, clock);
    return new OwnAuthorities(
        address ->
            address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || cache.known().addresses().contains(address),
        names(mirror, http, coap),
        () -> cache.known().ports());
  }

  private static Set<String> names(
      MirrorProperties mirror, HttpProperties http, CoapProperties coap) {
    Set<String> names = new HashSet<>(Set.of("localhost"));
    names.addAll(machineNames());
    Stream.of(
            Stream.of(mirror.base()),
            Stream.of(http.address()).map(OwnAddresses::uri),
            http.allowedHosts().stream().map(OwnAddresses::uri),
            coap.addresses().stream().map(OwnAddresses::uri))
        .flatMap(same -> same)
        .map(UriAuthority::of)
        .filter(authority -> authority != null && authority.address() == null)
        .forEach(authority -> names.add(authority.host()));
    return names;
  }

  private static String uri(String host) {
    return "coap://" + (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host);
  }

  /** The machine's host name and its multicast DNS name (RFC 6762). */
  private static List<String> machineNames() {
    return HostName.read()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .filter(name -> !name.isEmpty())
        .map(name -> List.of(name, name + ".local"))
        .orElse(List.of());
  }

  private static Set<Integer> ports(Stream<String> uris) {
    return uris.map(UriAuthority::of)
        .filter(authority -> authority != null && authority.port() != UriAuthority.NO_PORT)
        .map(UriAuthority::port)
        .collect(Collectors.toSet());
  }

  /**
   * The addresses of the machine, cached for some seconds because a lookup needs them for each
   * link.
   */
  private static final class Cache {
    private final ObjectProvider<ListeningAddress> servers;
    private final Set<Integer> configured;
    private final Clock clock;
    private volatile @Nullable Known last;

    Cache(ObjectProvider<ListeningAddress> servers, Set<Integer> configured, Clock clock) {
      this.servers = servers;
      this.configured = configured;
      this.clock = clock;
    }

    Known known() {
      Known known = last;
      long now = clock.millis();
      if (known == null || known.until() <= now || known.until() > now + REFRESH_MILLIS) {
        Set<Integer> ports = new HashSet<>(configured);
        ports.addAll(ports(servers.stream().flatMap(server -> server.addresses().stream())));
        known = new Known(addresses(), Set.copyOf(ports), now + REFRESH_MILLIS);
        last = known;
      }
      return known;
    }

    private static Set<InetAddress> addresses() {
      try {
        return NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .collect(Collectors.toUnmodifiableSet());
      } catch (SocketException e) {
        log.warn("cannot list the addresses of this machine: {}", e.getMessage());
        return Set.of();
      }
    }
  }
}
