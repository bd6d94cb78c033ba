package dev.vigil.gateway.callers;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Collections;
import java.util.regex.Pattern;

/**
 * Recognises programs on this machine that act for themselves. A proxy on this machine acts for
 * others; its forwarding headers reveal it. A page of another site can make its host name resolve
 * to this machine (DNS rebinding); its Host header reveals it.
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
