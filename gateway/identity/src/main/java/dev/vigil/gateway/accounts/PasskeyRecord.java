package dev.vigil.gateway.accounts;

import dev.vigil.gateway.records.Secret;
import dev.vigil.gateway.webauthn.Credential;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passkey as it is stored, by {@link Credential#id}.
 *
 * @param name that its user gave it
 * @param host name of the gateway for which it was made
 * @param handle of the account, which the authenticator keeps beside it: random, base64url
 * @param data as {@link Credential#data}
 * @param counter as {@link Credential#counter}
 * @param usedAt null: it was not used yet
 * @param regressedAt when its signature counter last went back; null: it never did
 */
record PasskeyRecord(
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

  PasskeyRecord {
    transports = List.copyOf(transports);
  }

  Credential credential(String id) {
    return new Credential(id, data, host, counter, backupEligible, backedUp, transports);
  }

  PasskeyRecord named(String wanted) {
    return new PasskeyRecord(
        account,
        wanted,
        host,
        handle,
        data,
        counter,
        backupEligible,
        backedUp,
        transports,
        createdAt,
        usedAt,
        regressedAt);
  }

  PasskeyRecord used(Credential after, Instant at) {
    return new PasskeyRecord(
        account,
        name,
        host,
        handle,
        data,
        after.counter(),
        backupEligible,
        after.backedUp(),
        transports,
        createdAt,
        at,
        regressedAt);
  }

  PasskeyRecord regressed(Instant at) {
    return new PasskeyRecord(
        account,
        name,
        host,
        handle,
        data,
        counter,
        backupEligible,
        backedUp,
        transports,
        createdAt,
        usedAt,
        at);
  }

  @Override
  public String toString() {
    return "PasskeyRecord[not shown]";
  }
}
