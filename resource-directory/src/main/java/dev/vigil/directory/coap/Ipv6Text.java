package dev.vigil.directory.coap;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** IPv6 addresses as RFC 5952 section 4 writes them. */
final class Ipv6Text {
  private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");

  private Ipv6Text() {}

  /**
   * @param eight groups of hexadecimal digits without leading zeros, as Java writes them
   */
  static String shortest(String eight) {
    Matcher runs = ZEROS.matcher(eight);
    String longest = "";
    int at = -1;
    while (runs.find()) {
      if (runs.group().replace(":", "").length() > longest.replace(":", "").length()) {
        longest = runs.group();
        at = runs.start();
      }
    }
    return at < 0 ? eight : eight.substring(0, at) + "::" + eight.substring(at + longest.length());
  }
}
