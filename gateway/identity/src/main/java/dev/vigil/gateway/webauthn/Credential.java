package dev.vigil.gateway.webauthn;

import java.util.List;

/**
 * A passkey's public side, as it is stored.
 *
 * @param id SHA-256 of the credential id, base64url
 * @param data attested credential data (WebAuthn section 6.5.1), base64url
 * @param host name for which it was made
 * @param counter signatures that the authenticator counts; 0: it counts none
 * @param backupEligible whether the authenticator may copy it to the person's other devices
 * @param backedUp whether it has
 * @param transports the ways to the authenticator, as the browser names them
 */
public record Credential(
    String id,
    String data,
    String host,
    long counter,
    boolean backupEligible,
    boolean backedUp,
    List<String> transports) {
  public Credential {
    transports = List.copyOf(transports);
  }
}
