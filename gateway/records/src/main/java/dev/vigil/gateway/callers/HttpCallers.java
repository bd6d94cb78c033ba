package dev.vigil.gateway.callers;

import dev.vigil.coap.exchange.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;

/** The caller of an HTTP request. */
public final class HttpCallers {
  private static final String IDENTITY = HttpCallers.class.getName() + ".identity";

  private record Verified(Caller.Identity identity, BooleanSupplier valid) {}

  private HttpCallers() {}

  public static Caller of(HttpServletRequest request) {
    InetSocketAddress source =
        new InetSocketAddress(request.getRemoteAddr(), request.getRemotePort());
    return new Caller(
        source,
        true, // the TCP handshake has verified the source address
        LocalCallers.contain(request), // not a client behind a proxy on this machine
        request.isSecure(),
        request.getAttribute(IDENTITY) instanceof Verified verified
            ? verified.identity()
            : new Caller.Anonymous());
  }

  /**
   * Returns a check that the credentials of a request are still valid, for use during the response.
   */
  public static BooleanSupplier validity(HttpServletRequest request) {
    return request.getAttribute(IDENTITY) instanceof Verified verified
        ? verified.valid()
        : () -> true;
  }

  /**
   * Whether the credentials still have the rights that they had when the request began. A slow body
   * leaves time for a change. True without credentials.
   */
  public static boolean isValid(HttpServletRequest request) {
    return !(request.getAttribute(IDENTITY) instanceof Verified(var identity, var valid))
        || identity instanceof Caller.Anonymous
        || valid.getAsBoolean();
  }

  public static void setIdentity(
      HttpServletRequest request, Caller.Identity identity, BooleanSupplier valid) {
    request.setAttribute(IDENTITY, new Verified(identity, valid));
  }
}
