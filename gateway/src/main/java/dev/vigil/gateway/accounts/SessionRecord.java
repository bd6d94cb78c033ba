package dev.vigil.gateway.accounts;

import java.time.Instant;

/**
 * A session as it is stored, by the hash of its cookie.
 *
 * @param seenAt the last request, as far as it is stored: see {@link Sessions}
 * @param source address from which the account signed in
 * @param client what the browser calls itself
 */
record SessionRecord(
    String account, Instant createdAt, Instant seenAt, String source, String client) {
  SessionRecord seen(Instant at) {
    return new SessionRecord(account, createdAt, at, source, client);
  }
}
