package dev.vigil.gateway.signin;

import dev.vigil.gateway.access.Grants;
import java.time.Instant;
import java.util.List;

/**
 * A stored API token; its id is its hash.
 *
 * @param owner the account that created the token; the token permits no more than the account
 * @param name purpose of the token; unique among the tokens of the account
 * @param roles in the form of {@link Grants#texts}
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
