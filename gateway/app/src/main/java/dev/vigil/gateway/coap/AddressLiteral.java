package dev.vigil.gateway.coap;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Writes addresses for URIs. */
final class AddressLiteral {
  private AddressLiteral() {}

  /** IPv6 in brackets and in the short form of RFC 5952, without a zone. */
  static String of(InetAddress address) {
    if (!(address instanceof Inet6Address six)) {
      return address.getHostAddress();
    }
    byte[] octets = six.getAddress();
    int[] groups = new int[8];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = (octets[2 * i] & 0xff) << 8 | octets[2 * i + 1] & 0xff;
    }
    int from = 0;
    int length = 0;
    for (int i = 0; i < groups.length; i++) {
      int run = zeros(groups, i);
      if (run > length) {
        from = i;
        length = run;
      }
    }
    // A single group of zeros is not shortened (RFC 5952 section 4.2.2).
    return length < 2
        ? "[" + hex(groups, 0, groups.length) + "]"
        : "[" + hex(groups, 0, from) + "::" + hex(groups, from + length, groups.length) + "]";
  }

  private static int zeros(int[] groups, int from) {
    int i = from;
    while (i < groups.length && groups[i] == 0) {
      i++;
    }
    return i - from;
  }

  private static String hex(int[] groups, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i > from ? ":" : "").append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
