package dev.vigil.mirror;

import org.jspecify.annotations.Nullable;

/**
 * A key that the mirror knows.
 *
 * @param jwk the public key as JSON; null when only its thumbprint was revoked or listed
 * @param id of the endpoint that has, had or asks for it; null when none
 * @param ep of that endpoint; of a listed key the only name it may register; null: none, or any
 * @param state null for a key that is only listed
 * @param held whether it asks for the name of another key: with PENDING, what an operator decides
 * @param note why it waits, else null
 */
public record KeyView(
    String jkt,
    @Nullable String jwk,
    @Nullable String id,
    @Nullable String ep,
    String d,
    @Nullable TrustState state,
    boolean held,
    @Nullable String note) {}
