package dev.vigil.gateway.accounts;

import dev.vigil.gateway.oidc.ProviderLogin;
import dev.vigil.gateway.records.Secret;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored session; its id is the hash of its cookie.
 *
 * @param seenAt the stored time of the last request; see {@link Sessions}
 * @param source address from which the account signed in
 * @param client the browser's User-Agent
 * @param credentials id of the account's credentials at the sign-in; null: an account of a
 *     provider, or a record of an older version
 * @param login the person who signed in through the provider; null: an account of the gateway
 */
public record SessionRecord(
    String account,
    Instant createdAt,
    Instant seenAt,
    String source,
    String client,
    @Secret @Nullable String credentials,
    @Nullable ProviderLogin login) {
  /** The name prefix of a provider's accounts; names of the gateway's accounts have no colon. */
  public static final String PROVIDER = "oidc:";

  SessionRecord seen(Instant at) {
    return new SessionRecord(account, createdAt, at, source, client, credentials, login);
  }
}
