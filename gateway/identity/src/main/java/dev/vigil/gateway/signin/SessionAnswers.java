package dev.vigil.gateway.signin;

import dev.vigil.gateway.accounts.AccountRights;
import dev.vigil.gateway.accounts.SessionRecord;
import dev.vigil.gateway.accounts.Sessions;
import dev.vigil.gateway.credentials.GatewayCookie;
import dev.vigil.gateway.oidc.SignInProvider;
import dev.vigil.gateway.records.Versioned;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** Builds responses that begin, show or end the session of a browser. */
@Component
public final class SessionAnswers {
  private final Sessions sessions;
  private final GatewayCredentials credentials;
  private final SignInProvider provider;

  SessionAnswers(Sessions sessions, GatewayCredentials credentials, SignInProvider provider) {
    this.sessions = sessions;
    this.credentials = credentials;
    this.provider = provider;
  }

  /**
   * @param account name of the account; for an API token followed by a slash and the token's name
   * @param roles for instance viewer, or viewer:plant in one domain
   * @param passwordChangeNeeded whether the caller must first change the one-time password
   * @param expiresAt time at which the session ends without another request; absent for tokens
   * @param provider name of the provider that manages the account; absent for accounts of the
   *     gateway
   */
  public record SessionJson(
      String account,
      List<String> roles,
      boolean passwordChangeNeeded,
      @Nullable Instant expiresAt,
      @Nullable String provider) {}

  /** Builds the response that sets the cookies of a new session. */
  public ResponseEntity<SessionJson> begun(HttpServletRequest request, SignIn.Begun begun) {
    return ResponseEntity.ok()
        .header(
            HttpHeaders.SET_COOKIE,
            GatewayCookie.SESSION.set(request, begun.session()),
            GatewayCookie.BROWSER.set(request, begun.browser()))
        .body(
            json(
                begun.account(),
                sessions.find(begun.session()).orElseThrow(AccountRights::notSignedIn)));
  }

  /**
   * @throws dev.vigil.gateway.problems.ProblemException 401 if the account was removed or its
   *     credentials changed after the session was read
   */
  SessionJson json(String name, Versioned<SessionRecord> session) {
    GatewayCredentials.SessionRights rights =
        credentials.rights(session.value()).orElseThrow(AccountRights::notSignedIn);
    return new SessionJson(
        name,
        List.copyOf(rights.grants().texts()),
        rights.oneTime(),
        sessions.endOf(session),
        session.value().login() == null ? null : provider.title());
  }

  /** The open session of the request's cookie. */
  Optional<Versioned<SessionRecord>> presented(HttpServletRequest request) {
    return Optional.ofNullable(GatewayCookie.SESSION.of(request)).flatMap(sessions::find);
  }
}
