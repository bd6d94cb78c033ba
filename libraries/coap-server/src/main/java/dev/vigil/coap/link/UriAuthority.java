package dev.vigil.coap.link;

import java.net.IDN;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The host and port of an absolute URI, normalised over all spellings that clients treat as equal
 * (RFC 3986 section 6.2): case, percent-encoding, a default port, a trailing dot, user information,
 * zone identifiers, and each way to write an address.
 *
 * @param host a name in lower case; empty when {@code address} is known
 * @param address the host when it is an address literal, without zone; else null
 * @param port the port, or {@link #NO_PORT} when the scheme has no known default
 */
public record UriAuthority(String host, @Nullable InetAddress address, int port) {
  public static final int NO_PORT = -1;

  private static final Map<String, Integer> DEFAULT_PORTS =
      Map.of(
          "coap",
          5683,
          "coaps",
          5684,
          "coap+tcp",
          5683,
          "coaps+tcp",
          5684,
          "coap+ws",
          80,
          "coaps+ws",
          443,
          "http",
          80,
          "https",
          443,
          "ws",
          80,
          "wss",
          443);

  /** Null for a reference without an authority, for instance {@code urn:dev:a} or {@code /path}. */
  public static @Nullable UriAuthority of(String uri) {
    Written written = Written.of(uri);
    return written == null ? null : written.read();
  }

  /**
   * An authority as written, of which only the port has been parsed, because parsing a host costs
   * much more.
   *
   * @param host perhaps in brackets, percent-encoded or in upper case
   * @param port as {@link UriAuthority#port}
   */
  record Written(String host, int port) {
    /** Null for a reference without an authority. */
    static @Nullable Written of(String uri) {
      String lenient = uri.strip().replace('\\', '/');
      int colon = lenient.indexOf(':');
      if (!UriReferences.hasScheme(lenient) || !lenient.startsWith("//", colon + 1)) {
        return null;
      }
      int end = UriReferences.originLength(lenient);
      int host = Math.max(colon + 2, lenient.lastIndexOf('@', end - 1)) + 1;
      int literalEnd = lenient.startsWith("[", host) ? lenient.indexOf(']', host, end) + 1 : host;
      int portAt = lenient.indexOf(':', Math.max(host, literalEnd), end);
      int written = portAt < 0 ? NO_PORT : readPort(lenient.substring(portAt + 1, end));
      return new Written(
          lenient.substring(host, portAt < 0 ? end : portAt),
          written == NO_PORT ? standardPort(lenient.substring(0, colon)) : written);
    }

    UriAuthority read() {
      return UriAuthority.of(host, port);
    }
  }

  private static int standardPort(String scheme) {
    return DEFAULT_PORTS.getOrDefault(scheme.toLowerCase(Locale.ROOT), NO_PORT);
  }

  private static int readPort(String digits) {
    try {
      return Digits.only(digits) ? Integer.parseInt(digits) : NO_PORT;
    } catch (NumberFormatException e) {
      return NO_PORT;
    }
  }

  private static UriAuthority of(String written, int port) {
    String host = decoded(written).toLowerCase(Locale.ROOT);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    int zone = host.indexOf('%');
    String bare = zone < 0 ? host : host.substring(0, zone);
    if (bare.endsWith(".")) {
      bare = bare.substring(0, bare.length() - 1);
    }
    InetAddress address = literal(bare);
    return new UriAuthority(address == null ? ascii(bare) : "", address, port);
  }

  private static String decoded(String text) {
    try {
      return text.indexOf('%') < 0
          ? text
          : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  private static String ascii(String name) {
    try {
      String ascii = IDN.toASCII(name, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
      return ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
    } catch (IllegalArgumentException e) {
      return name;
    }
  }

  private static @Nullable InetAddress literal(String host) {
    if (host.isEmpty() || host.indexOf(':') < 0 && !isDigit(host.charAt(0))) {
      return null;
    }
    try {
      // Many clients parse 127.1 and 0x7f000001 as the C library does.
      return host.indexOf(':') < 0
          ? Inet4Address.ofPosixLiteral(host)
          : Inet6Address.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
