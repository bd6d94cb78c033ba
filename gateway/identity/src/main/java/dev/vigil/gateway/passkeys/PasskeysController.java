package dev.vigil.gateway.passkeys;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.limits.Source;
import dev.vigil.gateway.accounts.AccountRights;
import dev.vigil.gateway.accounts.Accounts;
import dev.vigil.gateway.accounts.PasskeyDemand;
import dev.vigil.gateway.accounts.PasskeyRecord;
import dev.vigil.gateway.accounts.Passkeys;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.passkeys.PasskeyOptions.PasskeyCreationOptionsJson;
import dev.vigil.gateway.passkeys.PasskeyOptions.PasskeyDescriptorJson;
import dev.vigil.gateway.passkeys.PasskeyOptions.PasskeyUserJson;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.signin.SignIn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The passkeys of the signed-in account. Administrators also manage passkeys of other accounts, for
 * instance when a user has lost one.
 */
@RestController
class PasskeysController {
  private static final String ALL = "/api/account/passkeys";
  private static final String ONE = ALL + "/{id}";
  private static final String OF_ACCOUNT = "/api/accounts/{name}/passkeys";

  private final Passkeys passkeys;
  private final Accounts accounts;
  private final AccountRights rights;
  private final SignIn signIn;
  private final Ceremonies ceremonies;

  PasskeysController(
      Passkeys passkeys,
      Accounts accounts,
      AccountRights rights,
      SignIn signIn,
      Ceremonies ceremonies) {
    this.passkeys = passkeys;
    this.accounts = accounts;
    this.rights = rights;
    this.signIn = signIn;
    this.ceremonies = ceremonies;
  }

  /**
   * A passkey without its keys.
   *
   * @param host host name of the gateway for which the passkey works
   * @param backedUp whether the person's other devices also have the passkey
   * @param usedAt time of the last use; absent: never used
   * @param regressedAt time of the last refusal because the signature counter went back, which
   *     indicates a copy; absent: never
   */
  record PasskeyJson(
      String id,
      String name,
      String host,
      boolean backedUp,
      Instant createdAt,
      @Nullable Instant usedAt,
      @Nullable Instant regressedAt) {
    static PasskeyJson of(Versioned<PasskeyRecord> passkey) {
      PasskeyRecord record = passkey.value();
      return new PasskeyJson(
          passkey.id(),
          record.name(),
          record.host(),
          record.backedUp(),
          record.createdAt(),
          record.usedAt(),
          record.regressedAt());
    }
  }

  record PasskeysJson(List<PasskeyJson> passkeys) {}

  /**
   * @param requiredBy who requires a passkey at sign-in; absent: the password alone suffices
   */
  record OwnPasskeysJson(
      List<PasskeyJson> passkeys,
      @Schema(allowableValues = {"owner", "administrator"}) @Nullable String requiredBy) {}

  /**
   * @param password the account's present password
   */
  record PasskeyPasswordJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String password) {
    @Override
    public String toString() {
      return "PasskeyPasswordJson[not shown]";
    }
  }

  record PasskeyNameJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String name) {}

  /**
   * @param required whether the account needs a passkey in addition to its password
   */
  record PasskeyDemandJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Boolean required) {}

  @Operation(operationId = "listOwnPasskeys", summary = "The caller's passkeys")
  @GetMapping(ALL)
  OwnPasskeysJson list(HttpServletRequest request) {
    return json(owner(request));
  }

  private OwnPasskeysJson json(String account) {
    PasskeyDemand demand = accounts.require(account).value().passkeyDemand();
    return new OwnPasskeysJson(
        passkeys.of(account).stream().map(PasskeyJson::of).toList(),
        demand == null ? null : demand.label());
  }

  private String owner(HttpServletRequest request) {
    return rights.requireOwner(request, "passkeys");
  }

  @Operation(
      operationId = "demandOwnPasskey",
      summary = "Sets whether the caller's account needs a passkey in addition to its password",
      description =
          "The account must have a passkey. A user cannot withdraw an administrator's requirement.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasskeyDemandJson.class))))
  @PutMapping(path = ALL, consumes = MediaType.APPLICATION_JSON_VALUE)
  OwnPasskeysJson demand(HttpServletRequest request) throws IOException {
    String account = owner(request);
    boolean required =
        JsonBodies.required(
            JsonBodies.read(request, PasskeyDemandJson.class).required(), "required");
    if (required && accounts.require(account).value().passkeyDemand() == null) {
      passkeys.requireOne(account);
    }
    String change = required ? "demanded a passkey of %s" : "demanded no passkey of %s any more";
    Audit audit = Audit.of(HttpCallers.of(request), change.formatted(account));
    accounts.demandPasskey(account, required, audit);
    return json(account);
  }

  @Operation(
      operationId = "beginPasskey",
      summary = "Begins to add a passkey to the caller's account",
      description =
          "Needs the present password, so that a stolen session cannot add a passkey."
              + " The challenge is valid for one answer within five minutes.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasskeyPasswordJson.class))))
  @PostMapping(path = ALL + "/options", consumes = MediaType.APPLICATION_JSON_VALUE)
  PasskeyCreationOptionsJson begin(HttpServletRequest request) throws IOException {
    String account = owner(request);
    PasskeyPasswordJson body = JsonBodies.read(request, PasskeyPasswordJson.class);
    RelyingParty party = RelyingParty.require(request);
    passkeys.requireRoom(account);
    String password = JsonBodies.required(body.password(), "password");
    signIn.require(account, password, SignInContext.of(request));
    String handle = passkeys.handle(account);
    Purpose purpose = new Purpose.Registration(account, handle);
    String challenge = ceremonies.begin(purpose, party, Source.of(HttpCallers.of(request)));
    return PasskeyCreationOptionsJson.of(
        party,
        challenge,
        new PasskeyUserJson(handle, account, account),
        PasskeyDescriptorJson.of(passkeys.of(account, party.id()), ceremonies));
  }

  @Operation(
      operationId = "addPasskey",
      summary = "Adds the passkey that the browser has created",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = NewPasskeyJson.class))))
  @PostMapping(path = ALL, consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  PasskeyJson add(HttpServletRequest request) throws IOException {
    String account = owner(request);
    NewPasskeyJson body = JsonBodies.read(request, NewPasskeyJson.class);
    String name = JsonBodies.required(body.name(), "name");
    body.require();
    Instant accountMade = accounts.require(account).value().createdAt();
    Ceremonies.Made made;
    try {
      made = ceremonies.register(account, accountMade, name, body, RelyingParty.require(request));
    } catch (PasskeyRefusedException e) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, "the passkey is not accepted: " + e.getMessage());
    }
    Audit audit = Audit.of(HttpCallers.of(request), "added passkey " + name + " of " + account);
    passkeys.add(made.id(), made.passkey(), audit);
    return PasskeyJson.of(passkeys.require(account, made.id()));
  }

  @Operation(
      operationId = "renamePasskey",
      summary = "Renames a passkey of the caller",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasskeyNameJson.class))))
  @PutMapping(path = ONE, consumes = MediaType.APPLICATION_JSON_VALUE)
  PasskeyJson rename(HttpServletRequest request, @PathVariable String id) throws IOException {
    String account = owner(request);
    String name =
        JsonBodies.required(JsonBodies.read(request, PasskeyNameJson.class).name(), "name");
    Audit audit = Audit.of(HttpCallers.of(request), "renamed a passkey of " + account);
    passkeys.rename(account, id, name, audit);
    return PasskeyJson.of(passkeys.require(account, id));
  }

  @Operation(operationId = "removeOwnPasskey", summary = "Removes a passkey of the caller")
  @DeleteMapping(ONE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(HttpServletRequest request, @PathVariable String id) {
    String account = owner(request);
    Audit audit = Audit.of(HttpCallers.of(request), "removed a passkey of " + account);
    passkeys.remove(account, id, audit);
  }

  @Operation(operationId = "listPasskeys", summary = "The passkeys of an account")
  @GetMapping(OF_ACCOUNT)
  PasskeysJson listOf(HttpServletRequest request, @PathVariable String name) {
    administered(request, name);
    return new PasskeysJson(passkeys.of(name).stream().map(PasskeyJson::of).toList());
  }

  @Operation(
      operationId = "removePasskey",
      summary = "Removes a passkey of an account, for instance a lost one",
      description = "If the account requires a passkey, its last passkey cannot be removed.")
  @DeleteMapping(OF_ACCOUNT + "/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void removeOf(HttpServletRequest request, @PathVariable String name, @PathVariable String id) {
    Caller caller = administered(request, name);
    passkeys.remove(name, id, Audit.of(caller, "removed a passkey of " + name));
  }

  private Caller administered(HttpServletRequest request, String name) {
    Caller caller = HttpCallers.of(request);
    rights.requireSomewhere(caller);
    rights.require(caller, name, accounts.require(name).value().grants());
    return caller;
  }
}
