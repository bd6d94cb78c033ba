package dev.vigil.gateway.http;

import dev.vigil.gateway.callers.RequestHost;
import dev.vigil.gateway.publish.MirrorProperties;
import dev.vigil.gateway.tls.HttpProperties;
import dev.vigil.gateway.tls.ServerCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The hosts under which clients may address the gateway: loopback, the address that a connection
 * came to, and the names of the settings. Any other name may be one that an attacker points to this
 * machine (DNS rebinding), so that the attacker's page and the gateway have the same origin.
 */
final class AllowedHosts {
  private static final String ANY_LABEL = "*.";
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final Set<String> names;

  /** Addresses that are compared as values, because one address has several spellings. */
  private final Set<InetAddress> addresses;

  /**
   * @param hosts names, {@code *.} and a name for all names with one more label, and addresses
   */
  AllowedHosts(Collection<String> hosts) {
    this.names =
        hosts.stream()
            .map(RequestHost::canonical)
            .filter(host -> RequestHost.literal(host) == null)
            .collect(Collectors.toUnmodifiableSet());
    this.addresses =
        hosts.stream()
            .map(RequestHost::canonical)
            .filter(host -> RequestHost.literal(host) != null)
            .map(InetAddress::ofLiteral)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The hosts that the settings name: {@code vigil.http.allowed-hosts}, the listening address, the
   * base of mirrored endpoints and the certificate of HTTPS.
   *
   * @throws IOException begins with "cannot" when the certificate cannot be read
   */
  static AllowedHosts of(
      HttpProperties http, MirrorProperties mirror, ServerCertificate certificate)
      throws IOException {
    List<String> hosts = new ArrayList<>(http.allowedHosts());
    hosts.add(http.address());
    String base = mirror.base().isEmpty() ? null : host(mirror.base());
    if (base != null) {
      hosts.add(base);
    }
    if (http.tls().isOn()) {
      hosts.addAll(names(certificate.identity().certificate()));
    }
    return new AllowedHosts(hosts);
  }

  private static @Nullable String host(String uri) {
    try {
      return URI.create(uri).getHost();
    } catch (IllegalArgumentException e) {
      return null; // Reported where the base is used.
    }
  }

  /** The names that clients compare with the host (RFC 9525 section 6). */
  private static List<String> names(X509Certificate certificate) throws IOException {
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      return alternatives == null
          ? List.of()
          : alternatives.stream()
              .filter(name -> name.get(0).equals(DNS_NAME) || name.get(0).equals(IP_ADDRESS))
              .map(name -> String.valueOf(name.get(1)))
              .toList();
    } catch (CertificateParsingException e) {
      throw new IOException("cannot read the names in the certificate of vigil.http.tls", e);
    }
  }

  /**
   * @param host canonical; null: the request names none, as no browser does
   * @param local the address that the connection came to
   */
  boolean permits(@Nullable String host, InetAddress local) {
    if (host == null || RequestHost.isLoopback(host)) {
      return true;
    }
    InetAddress literal = RequestHost.literal(host);
    if (literal != null) {
      return literal.equals(local) || addresses.contains(literal);
    }
    int dot = host.indexOf('.');
    return names.contains(host) || (dot > 0 && names.contains(ANY_LABEL + host.substring(dot + 1)));
  }
}
