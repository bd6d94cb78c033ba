package dev.vigil.gateway.signin;

import dev.vigil.gateway.access.Grants;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored API token; its id is its hash.
 *
 * @param owner the account that created the token; the token permits no more than the account
 * @param ownerMade the time at which that account was made; a later account of the same name is
 *     another one. Null for the operator's token and in records of older versions
 * @param name purpose of the token; unique among the tokens of the account
 * @param roles in the form of {@link Grants#texts}
 */
record TokenRecord(
    String owner,
    @Nullable Instant ownerMade,
    String name,
    List<String> roles,
    Instant createdAt,
    Instant expiresAt) {
  TokenRecord {
    roles = List.copyOf(roles);
  }

  Grants grants() {
    return Grants.of(roles);
  }
}
