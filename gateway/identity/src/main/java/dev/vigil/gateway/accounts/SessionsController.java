package dev.vigil.gateway.accounts;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.credentials.GatewayCookie;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The open sessions: of the caller, and of accounts that the caller administers. */
@RestController
class SessionsController {
  private final Sessions sessions;
  private final Accounts accounts;
  private final AccountRights rights;

  SessionsController(Sessions sessions, Accounts accounts, AccountRights rights) {
    this.sessions = sessions;
    this.accounts = accounts;
    this.rights = rights;
  }

  record SessionsJson(List<OpenSessionJson> sessions) {}

  /**
   * @param client what the browser calls itself
   * @param current whether it is the session of the request
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
      operationId = "listSessions",
      summary = "Open sessions: the own ones, and those of accounts that one administers")
  @GetMapping("/api/sessions")
  SessionsJson sessions(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    AccountRights.requireIdentity(caller);
    String cookie = GatewayCookie.SESSION.of(request);
    String current = cookie == null ? "" : Secrets.hash(cookie);
    return new SessionsJson(
        sessions.list(account -> mayEnd(caller, account)).stream()
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
            .filter(found -> mayEnd(caller, found.account()))
            .orElseThrow(
                () -> new ErrorResponseException(Code.NOT_FOUND, "there is no such session"));
    sessions.end(id, Audit.of(caller, "ended a session of " + session.account()));
  }

  private boolean mayEnd(Caller caller, String account) {
    return caller.identity() instanceof Caller.Account(String name, var _) && name.equals(account)
        || rights.mayAdminister(
            caller, account, accounts.find(account).map(AccountRecord::grants).orElse(Grants.NONE));
  }
}
