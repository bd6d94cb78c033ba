package dev.vigil.gateway.keys;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.vigil.mirror.KeyView;
import dev.vigil.mirror.TrustState;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A key under one name. What is absent does not apply.
 *
 * @param thumbprint RFC 7638, SHA-256, base64url
 * @param jwk the public key; absent where only its thumbprint is known
 * @param endpoint the id of the endpoint that has, had or asks for it
 * @param ep the endpoint's name; of a listed key the only name it may register
 * @param state listed, unproven, pending, held (asks for the name of another key), trusted,
 *     replaced or revoked
 * @param note why it waits
 */
record KeyJson(
    String thumbprint,
    @JsonRawValue @Schema(type = "object") @Nullable String jwk,
    @Nullable String endpoint,
    @Nullable String ep,
    String d,
    String state,
    @Nullable String note) {

  static KeyJson of(KeyView view) {
    return new KeyJson(
        view.jkt(), view.jwk(), view.id(), view.ep(), view.d(), state(view), view.note());
  }

  static String state(KeyView view) {
    TrustState state = view.state();
    return state == null ? "listed" : view.held() ? "held" : state.label();
  }
}
