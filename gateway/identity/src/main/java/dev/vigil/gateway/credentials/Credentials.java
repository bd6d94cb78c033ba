package dev.vigil.gateway.credentials;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The credentials of a request. An Authorization header takes precedence over a session.
 *
 * @param authorization the header; null when there is none
 * @param session the value of the session's cookie; null when there is none
 */
public record Credentials(@Nullable String authorization, @Nullable String session) {
  /** Reads the credentials of a request. */
  public static Credentials of(HttpServletRequest request) {
    return new Credentials(
        request.getHeader(HttpHeaders.AUTHORIZATION), GatewayCookie.SESSION.of(request));
  }

  /**
   * Reads credentials from the headers Authorization and Cookie, before the scheme of the request
   * is known. They may decide whether the request gets a place, but not its rights.
   */
  public static Credentials of(@Nullable String authorization, @Nullable String cookies) {
    return new Credentials(authorization, GatewayCookie.SESSION.value(cookies, false));
  }

  public boolean isEmpty() {
    return authorization == null && session == null;
  }

  /** Whether the browser added the credentials by itself, perhaps for a page of another site. */
  boolean areAmbient() {
    return authorization == null && session != null;
  }

  @Override
  public String toString() {
    return "Credentials[not shown]";
  }
}
