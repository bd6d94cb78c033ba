package dev.vigil.gateway.accounts;

import dev.vigil.gateway.records.Secret;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored passkey; its id is the SHA-256 of its credential id in base64url.
 *
 * @param accountMade the time at which its account was made; a later account of the same name is
 *     another one. Null in records of older versions
 * @param name chosen by its user
 * @param host host name of the gateway for which the passkey was created
 * @param handle random handle of the account, base64url; the authenticator keeps it with the
 *     passkey
 * @param data attested credential data (WebAuthn section 6.5.1), base64url
 * @param counter the authenticator's signature counter; 0: it does not count
 * @param backupEligible whether the authenticator may copy the passkey to the person's other
 *     devices
 * @param backedUp whether the authenticator has copied it
 * @param transports the transports of the authenticator, in the browser's terms
 * @param usedAt last use; null: never used
 * @param regressedAt time at which its signature counter last went back; null: never
 */
public record PasskeyRecord(
    String account,
    @Nullable Instant accountMade,
    String name,
    String host,
    @Secret String handle,
    @Secret String data,
    long counter,
    boolean backupEligible,
    boolean backedUp,
    List<String> transports,
    Instant createdAt,
    @Nullable Instant usedAt,
    @Nullable Instant regressedAt) {

  public PasskeyRecord {
    transports = List.copyOf(transports);
  }

  PasskeyRecord named(String wanted) {
    return with(wanted, counter, backedUp, usedAt, regressedAt);
  }

  public PasskeyRecord used(long signatures, boolean copied, Instant at) {
    return with(name, signatures, copied, at, regressedAt);
  }

  public PasskeyRecord regressed(Instant at) {
    return with(name, counter, backedUp, usedAt, at);
  }

  private PasskeyRecord with(
      String wanted,
      long signatures,
      boolean copied,
      @Nullable Instant used,
      @Nullable Instant regressed) {
    return new PasskeyRecord(
        account,
        accountMade,
        wanted,
        host,
        handle,
        data,
        signatures,
        backupEligible,
        copied,
        transports,
        createdAt,
        used,
        regressed);
  }

  @Override
  public String toString() {
    return "PasskeyRecord[not shown]";
  }
}
