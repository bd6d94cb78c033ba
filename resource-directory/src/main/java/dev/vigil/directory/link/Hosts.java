package dev.vigil.directory.link;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses as hosts of URIs. */
public final class Hosts {
  private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");

  private Hosts() {}

  /**
   * An address literal without zone: IPv6 as RFC 5952 section 4 writes it, between the brackets
   * that RFC 3986 section 3.2.2 wants.
   */
  public static String literal(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    String bare = zone < 0 ? text : text.substring(0, zone);
    return address instanceof Inet6Address ? "[" + shortest(bare) + "]" : bare;
  }

  /**
   * @param eight groups of hexadecimal digits without leading zeros, as Java writes them
   */
  private static String shortest(String eight) {
    Matcher runs = ZEROS.matcher(eight);
    String longest = "";
    int at = -1;
    while (runs.find()) {
      if (zeros(runs.group()) > zeros(longest)) {
        longest = runs.group();
        at = runs.start();
      }
    }
    return at < 0 ? eight : eight.substring(0, at) + "::" + eight.substring(at + longest.length());
  }

  private static long zeros(String run) {
    return run.chars().filter(c -> c == '0').count();
  }
}
