package dev.vigil.gateway.callers;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Collections;
import java.util.regex.Pattern;

/**
 * Programs on this machine that ask for themselves. A proxy on this machine acts for others: it is
 * recognised by its forwarding headers. A page of another site can make its name resolve to this
 * machine (DNS rebinding): it is recognised by the Host header.
 */
public final class LocalCallers {
  private static final Pattern FORWARDING_HEADER =
      Pattern.compile(
          "forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*"
              + "|true-client-ip|cf-connecting-ip",
          Pattern.CASE_INSENSITIVE);

  private LocalCallers() {}

  public static boolean contain(HttpServletRequest request) {
    String host = RequestHost.of(request);
    return InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
        && host != null
        && RequestHost.isLoopback(host)
        && Collections.list(request.getHeaderNames()).stream()
            .noneMatch(name -> FORWARDING_HEADER.matcher(name).matches());
  }
}
