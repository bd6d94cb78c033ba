package dev.vigil.gateway.accounts;

import dev.vigil.gateway.credentials.GatewayCookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The source and the browser of a sign-in.
 *
 * @param browser the cookie of a browser in which an account has signed in; null: none
 * @param session the cookie of the browser's present session, which the new session replaces; null:
 *     none
 * @param client the browser's User-Agent
 */
public record SignInContext(
    InetAddress source,
    @Nullable String browser,
    @Nullable String session,
    @Nullable String client) {
  public static SignInContext of(HttpServletRequest request) {
    return new SignInContext(
        InetAddress.ofLiteral(request.getRemoteAddr()),
        GatewayCookie.BROWSER.of(request),
        GatewayCookie.SESSION.of(request),
        request.getHeader(HttpHeaders.USER_AGENT));
  }

  @Override
  public String toString() {
    return "SignInContext[not shown]";
  }
}
