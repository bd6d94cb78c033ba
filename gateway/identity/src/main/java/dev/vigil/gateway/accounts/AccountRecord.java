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
 * @param credentialsSince when the password was set
 * @param credentials id of the present credentials: sessions that began with others have ended, and
 *     all of them when the account was disabled; null in records of older versions
 * @param passkeyDemand who demands a passkey besides the password; null: nobody
 */
public record AccountRecord(
    @Secret String password,
    boolean oneTime,
    boolean enabled,
    List<String> roles,
    List<String> identities,
    Instant createdAt,
    Instant credentialsSince,
    @Nullable PasskeyDemand passkeyDemand,
    @Secret @Nullable String credentials) {

  public AccountRecord {
    roles = List.copyOf(roles);
    identities = List.copyOf(identities);
  }

  public Grants grants() {
    return Grants.of(roles);
  }

  public boolean hasPassword() {
    return !password.isEmpty();
  }

  /** The id of the credentials of a session that begins with them. */
  public String presentCredentials() {
    return credentials == null ? credentialsSince.toString() : credentials;
  }

  /** Whether a session began with the present credentials, whatever the clock showed. */
  public boolean permits(SessionRecord session) {
    return enabled
        && (session.credentials() == null
            ? credentials == null && !session.createdAt().isBefore(credentialsSince)
            : session.credentials().equals(presentCredentials()));
  }

  public AccountRecord withPassword(String hash, boolean once, Instant since, @Nullable String id) {
    return new AccountRecord(
        hash, once, enabled, roles, identities, createdAt, since, passkeyDemand, id);
  }

  /** The same password, hashed in another way. */
  AccountRecord rehashed(String hash) {
    return withPassword(hash, oneTime, credentialsSince, credentials);
  }

  /**
   * @param id of the credentials if the account becomes disabled: its sessions end
   */
  AccountRecord with(AccountChange change, @Nullable String id) {
    return new AccountRecord(
        password,
        oneTime,
        change.enabled(),
        List.copyOf(change.grants().texts()),
        change.identities(),
        createdAt,
        credentialsSince,
        change.demand(),
        enabled && !change.enabled() ? id : credentials);
  }

  AccountRecord withDemand(@Nullable PasskeyDemand demand) {
    return with(new AccountChange(grants(), identities, enabled, demand), credentials);
  }

  @Override
  public String toString() {
    return "AccountRecord[not shown]";
  }
}
