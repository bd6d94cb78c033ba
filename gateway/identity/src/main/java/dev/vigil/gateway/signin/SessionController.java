package dev.vigil.gateway.signin;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.accounts.AccountRights;
import dev.vigil.gateway.accounts.FirstAdministrator;
import dev.vigil.gateway.accounts.SessionRecord;
import dev.vigil.gateway.accounts.Sessions;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.credentials.GatewayCookie;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.signin.SessionAnswers.SessionJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Signing in and out, the caller's session and password. Also lists and ends open sessions of the
 * caller and of accounts that the caller administers.
 */
@RestController
class SessionController {
  private final SignIn signIn;
  private final Sessions sessions;
  private final AccountRights rights;
  private final GatewayCredentials credentials;
  private final DomainAccess access;
  private final FirstAdministrator first;
  private final SessionAnswers answers;

  SessionController(
      SignIn signIn,
      Sessions sessions,
      AccountRights rights,
      GatewayCredentials credentials,
      DomainAccess access,
      FirstAdministrator first,
      SessionAnswers answers) {
    this.signIn = signIn;
    this.sessions = sessions;
    this.rights = rights;
    this.credentials = credentials;
    this.access = access;
    this.first = first;
    this.answers = answers;
  }

  /** The body of a sign-in. */
  record SignInJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String account,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String password) {
    @Override
    public String toString() {
      return "SignInJson[not shown]";
    }
  }

  /** The body of a change of the caller's password. */
  record PasswordJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String password,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String newPassword) {
    @Override
    public String toString() {
      return "PasswordJson[not shown]";
    }
  }

  record SessionsJson(List<OpenSessionJson> sessions) {}

  /**
   * @param client the browser's User-Agent
   * @param current whether the request uses this session
   */
  record OpenSessionJson(
      String id,
      String account,
      Instant signedInAt,
      Instant seenAt,
      Instant expiresAt,
      String source,
      String client,
      boolean current) {}

  @Operation(
      operationId = "getSession",
      summary = "The signed-in caller; 401 when nobody is signed in")
  @GetMapping("/api/session")
  SessionJson session(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    if (request.getHeader(HttpHeaders.AUTHORIZATION) == null) {
      Versioned<SessionRecord> session = own(request);
      return answers.json(session.value().account(), session);
    }
    AccountRights.requireIdentity(caller);
    Grants grants = access.grants(caller);
    String name = caller.identity() instanceof Caller.Account(String account, var _) ? account : "";
    return new SessionJson(
        name, grants == null ? List.of() : List.copyOf(grants.texts()), false, null, null);
  }

  @Operation(
      operationId = "signIn",
      summary = "Signs in; the response sets the session cookie",
      description =
          "Requests that change something with the cookie need the header X-Vigil-CSRF with any"
              + " value. After too many wrong passwords the response is 429.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = SignInJson.class))))
  @PostMapping(path = "/api/session", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<SessionJson> signIn(HttpServletRequest request) throws IOException {
    SignInJson body = JsonBodies.read(request, SignInJson.class);
    SignIn.Begun begun =
        signIn.signIn(
            JsonBodies.required(body.account(), "account"),
            JsonBodies.required(body.password(), "password"),
            SignInContext.of(request));
    return answers.begun(request, begun);
  }

  @Operation(
      operationId = "changePassword",
      summary = "Changes the caller's password and ends the account's other sessions",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasswordJson.class))))
  @PutMapping(path = "/api/session/password", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<SessionJson> changePassword(HttpServletRequest request) throws IOException {
    SessionRecord session = own(request).value();
    if (session.login() != null) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "the provider manages this account: change the password there");
    }
    String account = session.account();
    PasswordJson body = JsonBodies.read(request, PasswordJson.class);
    SignIn.Begun begun =
        signIn.changePassword(
            account,
            JsonBodies.required(body.password(), "password"),
            JsonBodies.required(body.newPassword(), "newPassword"),
            SignInContext.of(request));
    first.passwordChanged(account);
    return answers.begun(request, begun);
  }

  @Operation(operationId = "signOut", summary = "Signs out")
  @ApiResponse(responseCode = "204", description = "Signed out")
  @DeleteMapping("/api/session")
  ResponseEntity<Void> signOut(HttpServletRequest request) {
    sessions.end(own(request));
    return ResponseEntity.noContent()
        .header(HttpHeaders.SET_COOKIE, GatewayCookie.SESSION.clear(request))
        .build();
  }

  @Operation(
      operationId = "listSessions",
      summary = "Open sessions of the caller and of the accounts that the caller administers")
  @GetMapping("/api/sessions")
  SessionsJson sessions(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    AccountRights.requireIdentity(caller);
    String cookie = GatewayCookie.SESSION.of(request);
    String current = cookie == null ? "" : Secrets.hash(cookie);
    return new SessionsJson(
        sessions.list(account -> rights.mayEnd(caller, account)).stream()
            .map(session -> json(session, current))
            .toList());
  }

  private OpenSessionJson json(Versioned<SessionRecord> session, String current) {
    SessionRecord record = session.value();
    return new OpenSessionJson(
        session.id(),
        record.account(),
        record.createdAt(),
        sessions.seenAt(session),
        sessions.endOf(session),
        record.source(),
        record.client(),
        session.id().equals(current));
  }

  @Operation(operationId = "endSession", summary = "Ends a session")
  @DeleteMapping("/api/sessions/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void end(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    AccountRights.requireIdentity(caller);
    SessionRecord session =
        sessions
            .byId(id)
            .map(Versioned::value)
            .filter(found -> rights.mayEnd(caller, found.account()))
            .orElseThrow(
                () -> new ProblemException(ProblemType.NOT_FOUND, "there is no such session"));
    sessions.end(id, Audit.of(caller, "ended a session of " + session.account()));
  }

  /** The session of the caller's cookie, even while the password is a one-time password. */
  private Versioned<SessionRecord> own(HttpServletRequest request) {
    return answers
        .presented(request)
        .filter(session -> credentials.rights(session.value()).isPresent())
        .orElseThrow(AccountRights::notSignedIn);
  }
}
