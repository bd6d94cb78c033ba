package dev.vigil.gateway.signin;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.accounts.AccountRights;
import dev.vigil.gateway.accounts.GrantTexts;
import dev.vigil.gateway.accounts.OwnerGrants;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** API tokens of the caller and of the accounts that the caller administers. */
@RestController
class TokensController {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._ -]{0,62}");
  private static final int DEFAULT_DAYS = 90;
  private static final int MAX_DAYS = 366;

  private final Tokens tokens;
  private final AccountRights rights;
  private final DomainAccess access;
  private final OwnerGrants owners;
  private final Clock clock;

  TokensController(
      Tokens tokens, AccountRights rights, DomainAccess access, OwnerGrants owners, Clock clock) {
    this.tokens = tokens;
    this.rights = rights;
    this.access = access;
    this.owners = owners;
    this.clock = clock;
  }

  record TokensJson(List<TokenJson> tokens) {}

  /**
   * @param roles for instance viewer, or viewer:plant in one domain
   * @param suspended whether the token permits nothing until an administrator confirms it
   * @param token shown only in the response that creates the token
   */
  record TokenJson(
      String id,
      String account,
      String name,
      List<String> roles,
      Instant createdAt,
      Instant expiresAt,
      boolean suspended,
      @Nullable String token) {
    static TokenJson of(String id, TokenRecord record, boolean suspended, @Nullable String secret) {
      return new TokenJson(
          id,
          record.owner(),
          record.name(),
          record.roles(),
          record.createdAt(),
          record.expiresAt(),
          suspended,
          secret);
    }
  }

  /**
   * @param name purpose of the token
   * @param days of validity, 1 to 366; by default 90
   */
  record NewTokenJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String name,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable List<String> roles,
      @Schema(minimum = "1", maximum = "366", defaultValue = "90") @Nullable Integer days) {}

  @Operation(
      operationId = "listTokens",
      summary = "API tokens of the caller and of the accounts that the caller administers")
  @GetMapping("/api/tokens")
  TokensJson tokens(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    AccountRights.requireIdentity(caller);
    Predicate<String> owners = owner -> rights.mayEnd(caller, owner);
    return new TokensJson(
        Stream.concat(
                tokens.list(owners).stream()
                    .map(token -> TokenJson.of(token.id(), token.value(), false, null)),
                tokens.suspended(owners).stream()
                    .map(token -> TokenJson.of(token.id(), token.value(), true, null)))
            .toList());
  }

  @Operation(
      operationId = "createToken",
      summary = "Creates an API token, shown only once",
      description =
          "It permits what its roles permit, but no more than its account. Send it as"
              + " Authorization: Bearer TOKEN. API tokens cannot create tokens; the operator's token can.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = NewTokenJson.class))))
  @PostMapping(path = "/api/tokens", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  TokenJson make(HttpServletRequest request) throws IOException {
    Caller caller = HttpCallers.of(request);
    AccountRights.requireIdentity(caller);
    String owner = AccountRights.requireTokenOwner(caller, "tokens");
    NewTokenJson body = JsonBodies.read(request, NewTokenJson.class);
    String name = JsonBodies.required(body.name(), "name");
    if (!NAME.matcher(name).matches()) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST,
          "the name of a token has up to 63 letters, digits, spaces, dots, hyphens and underscores");
    }
    Grants grants = GrantTexts.read(JsonBodies.required(body.roles(), "roles"));
    Grants own = Objects.requireNonNullElse(access.grants(caller), Grants.NONE);
    if (grants.roles().isEmpty() || !own.include(grants)) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "a token needs at least one role, and only roles that its account has");
    }
    int days = Objects.requireNonNullElse(body.days(), DEFAULT_DAYS);
    if (days < 1 || days > MAX_DAYS) {
      throw new ProblemException(ProblemType.INVALID_REQUEST, "days must be 1 to " + MAX_DAYS);
    }
    Instant expiresAt = clock.instant().plus(Duration.ofDays(days));
    Tokens.Made made =
        tokens.make(
            owner,
            owners.made(owner),
            name,
            grants,
            expiresAt,
            Audit.of(caller, "made token " + name));
    return TokenJson.of(made.id(), made.token(), false, made.secret());
  }

  @Operation(
      operationId = "confirmToken",
      summary = "Reactivates an API token that a restore suspended",
      description =
          "A restore suspends all API tokens, because some may have been revoked since the backup.")
  @PostMapping("/api/tokens/{id}/confirm")
  TokenJson confirm(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    AccountRights.requireIdentity(caller);
    TokenRecord token = visible(caller, id);
    rights.requireAdministrator(caller, token.owner());
    TokenRecord confirmed =
        tokens.confirm(
            id,
            Audit.of(caller, "confirmed token %s of %s".formatted(token.name(), token.owner())));
    return TokenJson.of(id, confirmed, false, null);
  }

  @Operation(operationId = "removeToken", summary = "Revokes an API token")
  @DeleteMapping("/api/tokens/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    AccountRights.requireIdentity(caller);
    TokenRecord token = visible(caller, id);
    tokens.revoke(
        id, Audit.of(caller, "revoked token %s of %s".formatted(token.name(), token.owner())));
  }

  private TokenRecord visible(Caller caller, String id) {
    return tokens
        .byId(id)
        .filter(found -> rights.mayEnd(caller, found.owner()))
        .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no such token"));
  }
}
