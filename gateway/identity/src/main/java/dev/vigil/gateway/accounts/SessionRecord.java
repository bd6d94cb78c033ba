package dev.vigil.gateway.accounts;

import dev.vigil.gateway.oidc.ProviderLogin;
import dev.vigil.gateway.records.Secret;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session as it is stored, by the hash of its cookie.
 *
 * @param seenAt the last request, as far as it is stored: see {@link Sessions}
 * @param source address from which the account signed in
 * @param client what the browser calls itself
 * @param credentials id of the account's credentials with which it began; null: an account of a
 *     provider, or a record of an older version
 * @param login who signed in through the provider; null: an account of the gateway with its
 *     password
 */
public record SessionRecord(
    String account,
    Instant createdAt,
    Instant seenAt,
    String source,
    String client,
    @Secret @Nullable String credentials,
    @Nullable ProviderLogin login) {
  /** The prefix of names of accounts that a provider keeps; those of the gateway have no colon. */
  public static final String PROVIDER = "oidc:";

  SessionRecord seen(Instant at) {
    return new SessionRecord(account, createdAt, at, source, client, credentials, login);
  }
}
