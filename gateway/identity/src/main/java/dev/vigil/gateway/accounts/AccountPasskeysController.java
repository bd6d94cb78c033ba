package dev.vigil.gateway.accounts;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.records.Audit;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Passkeys of accounts, for administrators whose users have lost them. */
@RestController
class AccountPasskeysController {
  private static final String ALL = "/api/accounts/{name}/passkeys";

  private final Passkeys passkeys;
  private final Accounts accounts;
  private final AccountRights rights;

  AccountPasskeysController(Passkeys passkeys, Accounts accounts, AccountRights rights) {
    this.passkeys = passkeys;
    this.accounts = accounts;
    this.rights = rights;
  }

  record PasskeysJson(List<PasskeyJson> passkeys) {}

  @Operation(operationId = "listPasskeys", summary = "The passkeys of an account")
  @GetMapping(ALL)
  PasskeysJson list(HttpServletRequest request, @PathVariable String name) {
    administered(request, name);
    return new PasskeysJson(passkeys.of(name).stream().map(PasskeyJson::of).toList());
  }

  @Operation(
      operationId = "removePasskey",
      summary = "Removes a passkey of an account, for instance a lost one",
      description =
          "The last one of an account that demands a passkey stays until the demand is withdrawn.")
  @DeleteMapping(ALL + "/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(HttpServletRequest request, @PathVariable String name, @PathVariable String id) {
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
