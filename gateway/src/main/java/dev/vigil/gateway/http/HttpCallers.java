package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ExchangeException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;

/** Who asks over HTTP. */
public final class HttpCallers {
  private static final String IDENTITY = HttpCallers.class.getName() + ".identity";
  private static final String REFUSAL = HttpCallers.class.getName() + ".refusal";

  private HttpCallers() {}

  /**
   * @throws ExchangeException 4.01 or 4.29 when it brought credentials that prove nothing
   */
  public static Caller of(HttpServletRequest request) {
    if (request.getAttribute(REFUSAL) instanceof ExchangeException refusal) {
      throw refusal;
    }
    return new Caller(
        new InetSocketAddress(request.getRemoteAddr(), request.getRemotePort()),
        true, // TCP has shown that the address is the caller's own
        request.isSecure(),
        request.getAttribute(IDENTITY) instanceof Caller.Identity identity
            ? identity
            : new Caller.Anonymous());
  }

  static void identified(HttpServletRequest request, Caller.Identity identity) {
    request.setAttribute(IDENTITY, identity);
  }

  static void refused(HttpServletRequest request, ExchangeException why) {
    request.setAttribute(REFUSAL, why);
  }
}
