package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;

/** Who asks over HTTP. */
public final class HttpCallers {
  private HttpCallers() {}

  public static Caller of(HttpServletRequest request) {
    return new Caller(
        new InetSocketAddress(request.getRemoteAddr(), request.getRemotePort()),
        true, // TCP has shown that the address is the caller's own
        request.isSecure(),
        new Caller.Anonymous());
  }
}
