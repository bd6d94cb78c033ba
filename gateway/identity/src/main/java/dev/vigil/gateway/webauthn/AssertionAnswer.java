package dev.vigil.gateway.webauthn;

import org.jspecify.annotations.Nullable;

/**
 * An authenticator's answer that uses a passkey, in base64url.
 *
 * @param credential id of the credential
 * @param userHandle the handle of the account that the authenticator keeps; null: it sent none
 */
public record AssertionAnswer(
    String credential,
    String clientData,
    String authenticatorData,
    String signature,
    @Nullable String userHandle) {}
