package dev.vigil.gateway.accounts;

import dev.vigil.gateway.records.Secret;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passkey as it is stored, by the SHA-256 of its credential id in base64url.
 *
 * @param name that its user gave it
 * @param host name of the gateway for which it was made
 * @param handle of the account, which the authenticator keeps beside it: random, base64url
 * @param data attested credential data (WebAuthn section 6.5.1), base64url
 * @param counter signatures that the authenticator counts; 0: it counts none
 * @param backupEligible whether the authenticator may copy it to the person's other devices
 * @param backedUp whether it has
 * @param transports the ways to the authenticator, as the browser names them
 * @param usedAt null: it was not used yet
 * @param regressedAt when its signature counter last went back; null: it never did
 */
public record PasskeyRecord(
    String account,
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
