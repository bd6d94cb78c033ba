package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.OperatorToken;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The accounts that own tokens, links, automations and browsers. Thread-safe. */
@Component
public final class OwnerGrants {
  private final Optional<OperatorToken> operator;
  private final Accounts accounts;

  public OwnerGrants(Optional<OperatorToken> operator, Accounts accounts) {
    this.operator = operator;
    this.accounts = accounts;
  }

  /**
   * The time at which the account of an owner was made, to be stored in the owned thing; null for
   * the operator's token.
   */
  public @Nullable Instant made(String owner) {
    return accounts.find(owner).map(AccountRecord::createdAt).orElse(null);
  }

  /**
   * The rights of an owner; null when the account is gone or disabled.
   *
   * @param made and {@code since} as in {@link AccountRecord#owns}
   */
  public @Nullable Grants of(String owner, @Nullable Instant made, Instant since) {
    if (owner.equals(OperatorToken.NAME)) {
      return operator.isPresent() ? Grants.ALL : null;
    }
    return accounts
        .find(owner)
        .filter(AccountRecord::enabled)
        .filter(account -> account.owns(made, since))
        .map(AccountRecord::grants)
        .orElse(null);
  }
}
