package dev.vigil.mirror;

import org.jspecify.annotations.Nullable;

/**
 * A key that the mirror knows.
 *
 * @param jwk the public key as JSON; null when only its thumbprint was revoked or listed
 * @param id of the endpoint that has or had it; null when none
 * @param state null for a key that is only listed
 */
public record KeyView(
    String jkt,
    @Nullable String jwk,
    @Nullable String id,
    @Nullable String ep,
    String d,
    @Nullable TrustState state) {}
