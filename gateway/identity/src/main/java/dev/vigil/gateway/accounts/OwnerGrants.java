package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.OperatorToken;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The present rights of the accounts that own tokens, links and automations. Thread-safe. */
@Component
public final class OwnerGrants {
  private final Optional<OperatorToken> operator;
  private final Accounts accounts;

  public OwnerGrants(Optional<OperatorToken> operator, Accounts accounts) {
    this.operator = operator;
    this.accounts = accounts;
  }

  /**
   * The rights of an owner; null when the account is gone or disabled.
   *
   * @param since when the owned thing was made; an account that was made later is a different one
   */
  public @Nullable Grants of(String owner, Instant since) {
    if (owner.equals(OperatorToken.NAME)) {
      return operator.isPresent() ? Grants.ALL : null;
    }
    return accounts
        .find(owner)
        .filter(account -> account.enabled() && !since.isBefore(account.createdAt()))
        .map(AccountRecord::grants)
        .orElse(null);
  }
}
