package dev.vigil.gateway.accounts;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets administrators manage the accounts of their domains. */
@RestController
class AccountsController {
  private static final String ONE = "/api/accounts/{name}";

  private final Accounts accounts;
  private final Sessions sessions;
  private final Passkeys passkeys;
  private final AccountRights rights;
  private final FirstAdministrator first;

  AccountsController(
      Accounts accounts,
      Sessions sessions,
      Passkeys passkeys,
      AccountRights rights,
      FirstAdministrator first) {
    this.accounts = accounts;
    this.sessions = sessions;
    this.passkeys = passkeys;
    this.rights = rights;
    this.first = first;
  }

  record AccountsJson(List<AccountJson> accounts) {}

  /**
   * @param roles for instance viewer, or viewer:plant in one domain
   * @param identities labels of the shared keys, raw keys and certificates with the account's roles
   * @param passwordChangeNeeded whether the present password is a one-time password that must be
   *     changed
   * @param passkeyRequired whether the user needs a passkey to sign in
   */
  record AccountJson(
      String name,
      List<String> roles,
      List<String> identities,
      boolean enabled,
      boolean passwordChangeNeeded,
      boolean passkeyRequired,
      Instant createdAt) {
    static AccountJson of(String name, AccountRecord record) {
      return new AccountJson(
          name,
          record.roles(),
          record.identities(),
          record.enabled(),
          record.oneTime(),
          record.passkeyDemand() != null,
          record.createdAt());
    }
  }

  /** A new account. */
  record NewAccountJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String name,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable List<String> roles,
      @Nullable List<String> identities) {}

  /**
   * The members that can be changed; missing members stay unchanged.
   *
   * @param passkeyRequired whether the user needs a passkey to sign in; the account must have a
   *     passkey
   */
  record AccountChangeJson(
      @Nullable List<String> roles,
      @Nullable List<String> identities,
      @Nullable Boolean enabled,
      @Nullable Boolean passkeyRequired) {}

  /**
   * @param oneTimePassword shown only in this response; the user must change it at the next sign-in
   */
  record OneTimePasswordJson(String name, String oneTimePassword) {
    @Override
    public String toString() {
      return "OneTimePasswordJson[not shown]";
    }
  }

  @Operation(operationId = "listAccounts", summary = "The accounts that the caller administers")
  @GetMapping("/api/accounts")
  AccountsJson accounts(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    List<AccountJson> visible =
        accounts.all().stream()
            .filter(account -> rights.mayAdminister(caller, account.id(), account.value().grants()))
            .map(account -> AccountJson.of(account.id(), account.value()))
            .toList();
    if (visible.isEmpty()) {
      rights.requireSomewhere(caller);
    }
    return new AccountsJson(visible);
  }

  @Operation(operationId = "getAccount", summary = "An account; send its ETag in If-Match")
  @GetMapping(ONE)
  ResponseEntity<AccountJson> account(HttpServletRequest request, @PathVariable String name) {
    return answer(administered(HttpCallers.of(request), name));
  }

  private static ResponseEntity<AccountJson> answer(Versioned<AccountRecord> account) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(account.version()))
        .body(AccountJson.of(account.id(), account.value()));
  }

  private Versioned<AccountRecord> administered(Caller caller, String name) {
    rights.requireSomewhere(caller);
    Versioned<AccountRecord> account = accounts.require(name);
    rights.require(caller, name, account.value().grants());
    return account;
  }

  @Operation(
      operationId = "createAccount",
      summary = "Creates an account with a one-time password, shown only once",
      description =
          "identities lists shared keys (psk:NAME), raw keys (rpk:THUMBPRINT) and certificates"
              + " (cert:CN:NAME) that have the account's roles over CoAPS.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = NewAccountJson.class))))
  @PostMapping(path = "/api/accounts", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  OneTimePasswordJson create(HttpServletRequest request) throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.requireSomewhere(caller);
    NewAccountJson body = JsonBodies.read(request, NewAccountJson.class);
    String name = JsonBodies.required(body.name(), "name");
    AccountChange settings =
        new AccountChange(
            GrantTexts.read(JsonBodies.required(body.roles(), "roles")),
            identities(body.identities(), List.of()),
            true,
            null);
    rights.require(caller, name, settings.grants());
    if (!settings.identities().isEmpty()) {
      rights.requireEverywhere(caller);
    }
    String password = accounts.create(name, settings, Audit.of(caller, "made account " + name));
    return new OneTimePasswordJson(name, password);
  }

  @Operation(
      operationId = "changeAccount",
      summary =
          "Changes an account: roles, identities, whether it is enabled, whether it needs a passkey",
      description = "Missing members stay unchanged. With If-Match only that version is changed.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = AccountChangeJson.class))))
  @PutMapping(path = ONE, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<AccountJson> change(
      HttpServletRequest request,
      @PathVariable String name,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    administered(caller, name);
    AccountChangeJson body = JsonBodies.read(request, AccountChangeJson.class);
    // The account may have changed while the body was arriving.
    Versioned<AccountRecord> before = administered(caller, name);
    AccountRecord present = before.value();
    AccountChange settings =
        new AccountChange(
            body.roles() == null ? present.grants() : GrantTexts.read(body.roles()),
            identities(body.identities(), present.identities()),
            Objects.requireNonNullElse(body.enabled(), present.enabled()),
            demand(name, body.passkeyRequired(), present.passkeyDemand()));
    rights.require(caller, name, settings.grants());
    if (!settings.identities().equals(present.identities())) {
      rights.requireEverywhere(caller);
    }
    accounts.change(
        name,
        settings,
        EntityTags.judged(before.version(), ifMatch, null),
        Audit.of(caller, "changed account " + name));
    if (!settings.enabled()) {
      sessions.endAll(name);
    }
    return answer(accounts.require(name));
  }

  @Operation(
      operationId = "removeAccount",
      summary = "Removes an account and its passkeys, and ends its sessions and tokens")
  @DeleteMapping(ONE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String name,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = HttpCallers.of(request);
    Versioned<AccountRecord> account = administered(caller, name);
    if (!account.value().identities().isEmpty()) {
      rights.requireEverywhere(caller);
    }
    accounts.remove(
        name,
        EntityTags.judged(account.version(), ifMatch, null),
        Audit.of(caller, "removed account " + name));
    sessions.endAll(name);
    passkeys.removeAll(name, Audit.of(caller, "removed a passkey of " + name));
    first.passwordChanged(name);
  }

  @Operation(
      operationId = "resetPassword",
      summary = "Sets a new one-time password, shown only once",
      description = "The account's sessions end; its tokens stay.")
  @PostMapping(ONE + "/password")
  OneTimePasswordJson resetPassword(HttpServletRequest request, @PathVariable String name) {
    Caller caller = HttpCallers.of(request);
    OptionalLong version = OptionalLong.of(administered(caller, name).version());
    String password =
        accounts.resetPassword(name, version, Audit.of(caller, "reset the password of " + name));
    sessions.endAll(name);
    first.passwordChanged(name);
    return new OneTimePasswordJson(name, password);
  }

  private @Nullable PasskeyDemand demand(
      String account, @Nullable Boolean requested, @Nullable PasskeyDemand present) {
    if (requested == null) {
      return present;
    }
    if (requested) {
      passkeys.requireOne(account);
      return PasskeyDemand.ADMINISTRATOR;
    }
    return null;
  }

  private static List<String> identities(@Nullable List<String> requested, List<String> defaults) {
    if (requested == null) {
      return defaults;
    }
    if (requested.contains(null)) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST, "identities must be a list of strings");
    }
    return requested.stream().distinct().sorted().toList();
  }
}
