package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.records.Secret;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account as it is stored, by its name.
 *
 * @param password hash of the password; empty: nobody can sign in with one
 * @param oneTime whether the password must be changed before anything else
 * @param enabled whether the account may be used
 * @param roles as {@link Grants#texts} writes them
 * @param identities labels of shared keys, raw keys and certificates with the account's roles
 * @param createdAt tokens made before it are of a former account of the name
 * @param credentialsSince sessions that began before it have ended
 * @param passkeyDemand who demands a passkey besides the password; null: nobody
 */
record AccountRecord(
    @Secret String password,
    boolean oneTime,
    boolean enabled,
    List<String> roles,
    List<String> identities,
    Instant createdAt,
    Instant credentialsSince,
    @Nullable PasskeyDemand passkeyDemand) {

  AccountRecord {
    roles = List.copyOf(roles);
    identities = List.copyOf(identities);
  }

  Grants grants() {
    return Grants.of(roles);
  }

  boolean hasPassword() {
    return !password.isEmpty();
  }

  AccountRecord withPassword(String hash, boolean once, Instant since) {
    return new AccountRecord(
        hash, once, enabled, roles, identities, createdAt, since, passkeyDemand);
  }

  AccountRecord with(AccountChange change) {
    return new AccountRecord(
        password,
        oneTime,
        change.enabled(),
        List.copyOf(change.grants().texts()),
        change.identities(),
        createdAt,
        credentialsSince,
        change.demand());
  }

  AccountRecord withDemand(@Nullable PasskeyDemand demand) {
    return new AccountRecord(
        password, oneTime, enabled, roles, identities, createdAt, credentialsSince, demand);
  }

  @Override
  public String toString() {
    return "AccountRecord[not shown]";
  }
}
