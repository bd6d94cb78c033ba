package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.records.Secret;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored account; its id is its name.
 *
 * @param password hash of the password; empty: nobody can sign in with a password
 * @param oneTime whether the user must change the password first
 * @param enabled whether the account may be used
 * @param roles in the form of {@link Grants#texts}
 * @param identities labels of shared keys, raw keys and certificates with the account's roles
 * @param createdAt tells the account from a former one of the same name, to which tokens, links,
 *     passkeys and browsers may belong
 * @param credentialsSince time at which the password was set
 * @param credentials id of the present credentials. A session that began with other credentials has
 *     ended. Disabling the account changes the id. Null in records of older versions
 * @param passkeyDemand who requires a passkey in addition to the password; null: nobody
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

  /**
   * Whether a thing belongs to this account, and not to a former one of the same name.
   *
   * @param made when the thing's account was made, as the thing has it; null if it does not
   * @param since when the thing was made; compared with the account if {@code made} is null
   */
  public boolean owns(@Nullable Instant made, Instant since) {
    return made == null ? !since.isBefore(createdAt) : made.equals(createdAt);
  }

  public boolean hasPassword() {
    return !password.isEmpty();
  }

  /** The credentials id for a session that begins now. */
  public String presentCredentials() {
    return credentials == null ? credentialsSince.toString() : credentials;
  }

  /** Whether a session began with the present credentials, regardless of the clock. */
  public boolean permits(SessionRecord session) {
    return enabled
        && (session.credentials() == null
            ? credentials == null && !session.createdAt().isBefore(credentialsSince)
            : session.credentials().equals(presentCredentials()));
  }

  /** Whether the account is enabled and still has the credentials of an earlier record. */
  boolean hasCredentialsOf(AccountRecord earlier) {
    return enabled
        && createdAt.equals(earlier.createdAt)
        && presentCredentials().equals(earlier.presentCredentials());
  }

  public AccountRecord withPassword(String hash, boolean once, Instant since, @Nullable String id) {
    return new AccountRecord(
        hash, once, enabled, roles, identities, createdAt, since, passkeyDemand, id);
  }

  /** The account with a new hash of the same password. */
  AccountRecord rehashed(String hash) {
    return withPassword(hash, oneTime, credentialsSince, credentials);
  }

  /**
   * @param id new id of the credentials if the account becomes disabled, so that its sessions end
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
