package dev.vigil.gateway.accounts;

import dev.vigil.gateway.credentials.GatewayCookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Where a sign-in comes from.
 *
 * @param browser the cookie of a browser in which an account has signed in; null: it has none
 * @param session the cookie of the session that the browser has already, and which the new one
 *     replaces; null: it has none
 * @param client what the browser calls itself
 */
public record Place(
    InetAddress source,
    @Nullable String browser,
    @Nullable String session,
    @Nullable String client) {
  public static Place of(HttpServletRequest request) {
    return new Place(
        InetAddress.ofLiteral(request.getRemoteAddr()),
        GatewayCookie.BROWSER.of(request),
        GatewayCookie.SESSION.of(request),
        request.getHeader(HttpHeaders.USER_AGENT));
  }

  @Override
  public String toString() {
    return "Place[not shown]";
  }
}
