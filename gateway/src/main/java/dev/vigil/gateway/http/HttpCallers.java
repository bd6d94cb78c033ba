package dev.vigil.gateway.http;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;

/** The caller of an HTTP request. */
public final class HttpCallers {
  private static final String IDENTITY = HttpCallers.class.getName() + ".identity";
  private static final String REFUSAL = HttpCallers.class.getName() + ".refusal";

  private HttpCallers() {}

  /**
   * @throws ErrorResponseException 4.01 or 4.29 when the request has invalid credentials
   */
  public static Caller of(HttpServletRequest request) {
    if (request.getAttribute(REFUSAL) instanceof ErrorResponseException refusal) {
      throw refusal;
    }
    InetSocketAddress source =
        new InetSocketAddress(request.getRemoteAddr(), request.getRemotePort());
    return new Caller(
        source,
        true, // the TCP handshake has verified the source address
        source.getAddress().isLoopbackAddress(),
        request.isSecure(),
        request.getAttribute(IDENTITY) instanceof Caller.Identity identity
            ? identity
            : new Caller.Anonymous());
  }

  static void setIdentity(HttpServletRequest request, Caller.Identity identity) {
    request.setAttribute(IDENTITY, identity);
  }

  static void setRefusal(HttpServletRequest request, ErrorResponseException refusal) {
    request.setAttribute(REFUSAL, refusal);
  }
}
