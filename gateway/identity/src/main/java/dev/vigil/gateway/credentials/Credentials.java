package dev.vigil.gateway.credentials;

import org.jspecify.annotations.Nullable;

/**
 * The credentials of a request. An Authorization header takes precedence over a session.
 *
 * @param authorization the header; null when there is none
 * @param session the value of the session's cookie; null when there is none
 */
public record Credentials(@Nullable String authorization, @Nullable String session) {
  /** Reads credentials from the headers Authorization and Cookie. */
  public static Credentials of(@Nullable String authorization, @Nullable String cookies) {
    return new Credentials(authorization, GatewayCookie.SESSION.value(cookies));
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
