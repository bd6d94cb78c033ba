package dev.vigil.coap.link;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes addresses as hosts of URIs (RFC 3986 section 3.2.2). */
public final class UriHosts {
  private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");

  private UriHosts() {}

  /**
   * An address literal without zone. IPv6 addresses are in the form of RFC 5952 section 4, in
   * brackets.
   */
  public static String literal(InetAddress address) {
    return address instanceof Inet6Address ? "[" + text(address) + "]" : text(address);
  }

  /** An address without zone, IPv6 in the form of RFC 5952 section 4. */
  public static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    String bare = zone < 0 ? text : text.substring(0, zone);
    return address instanceof Inet6Address ? compressed(bare) : bare;
  }

  /** The host of an absolute URI, without brackets, user information and port. */
  public static String unbracketed(String uri) {
    int authority = uri.indexOf("://") + 3;
    String rest = UriReferences.origin(uri).substring(authority);
    String hostAndPort = rest.substring(rest.lastIndexOf('@') + 1);
    if (hostAndPort.startsWith("[")) {
      int end = hostAndPort.indexOf(']');
      return hostAndPort.substring(1, end < 0 ? hostAndPort.length() : end);
    }
    int port = hostAndPort.lastIndexOf(':');
    return port < 0 ? hostAndPort : hostAndPort.substring(0, port);
  }

  /**
   * Replaces the longest run of zero groups, the first if there are several, by {@code ::}.
   *
   * @param groups eight groups of hexadecimal digits without leading zeros, as Java writes them
   */
  private static String compressed(String groups) {
    Matcher runs = ZEROS.matcher(groups);
    String longest = "";
    int at = -1;
    while (runs.find()) {
      if (zeros(runs.group()) > zeros(longest)) {
        longest = runs.group();
        at = runs.start();
      }
    }
    return at < 0
        ? groups
        : groups.substring(0, at) + "::" + groups.substring(at + longest.length());
  }

  private static long zeros(String run) {
    return run.chars().filter(c -> c == '0').count();
  }
}
