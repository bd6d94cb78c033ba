package dev.vigil.gateway.signin;

import dev.vigil.gateway.access.Grants;
import java.time.Instant;
import java.util.List;

/**
 * An API token as it is stored, by its hash.
 *
 * @param owner the account that made it; the token permits no more than the account
 * @param name what it is for; unique among the tokens of the account
 * @param roles as {@link Grants#texts} writes them
 */
record TokenRecord(
    String owner, String name, List<String> roles, Instant createdAt, Instant expiresAt) {
  TokenRecord {
    roles = List.copyOf(roles);
  }

  Grants grants() {
    return Grants.of(roles);
  }
}
