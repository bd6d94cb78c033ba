package dev.vigil.gateway.callers;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The host that a client names in its request (RFC 9110 section 7.2). */
public final class RequestHost {
  private RequestHost() {}

  /**
   * The host without port and brackets, in lower case and without a trailing dot; null when the
   * request names none, which only HTTP/1.0 allows. Tomcat refuses requests with several or
   * malformed Host fields, or with a Host that differs from an absolute request target.
   */
  public static @Nullable String of(HttpServletRequest request) {
    String header = request.getHeader("Host");
    return header == null || header.isBlank() ? null : canonical(request.getServerName());
  }

  public static String canonical(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    if (lower.startsWith("[") && lower.endsWith("]")) {
      return lower.substring(1, lower.length() - 1);
    }
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** The IP address in a canonical host; null when the host is a name. */
  public static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether a canonical host is a name, not an address. */
  public static boolean isName(String host) {
    return literal(host) == null;
  }

  /** Whether a canonical host is a loopback address or its name. */
  public static boolean isLoopback(String host) {
    InetAddress address = literal(host);
    return address == null ? host.equals("localhost") : address.isLoopbackAddress();
  }
}
