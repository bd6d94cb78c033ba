package dev.vigil.gateway.keys;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.KeyView;
import dev.vigil.mirror.trust.JwkCodec;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key under one endpoint name. Fields that do not apply are absent.
 *
 * @param thumbprint RFC 7638, SHA-256, base64url
 * @param jwk the public key; absent when only its thumbprint is known
 * @param endpoint id of the endpoint that has, had or requests the key
 * @param ep name of the endpoint; for a listed key the only name that it may register
 * @param state listed, unproven, pending, held (requests the name of another key), trusted,
 *     replaced or revoked
 * @param note why it waits for approval
 * @param waitingSince when it arrived, while it waits for approval
 * @param waitingFrom its source address; absent when unknown
 */
record KeyJson(
    String thumbprint,
    @JsonRawValue @Schema(implementation = JwkJson.class) @Nullable String jwk,
    @Nullable String endpoint,
    @Nullable String ep,
    String d,
    @Schema(
            allowableValues = {
              "listed",
              "unproven",
              "pending",
              "held",
              "trusted",
              "replaced",
              "revoked"
            })
        String state,
    @Nullable String note,
    @Nullable Instant waitingSince,
    @Nullable String waitingFrom) {

  static final List<String> STATES =
      List.of("listed", "unproven", "pending", "held", "trusted", "replaced", "revoked");

  /**
   * A public key (RFC 7517).
   *
   * @param y absent for Ed25519
   */
  record JwkJson(String kty, String crv, String x, @Nullable String y) {}

  static KeyJson of(KeyView view) {
    String jwk = view.jwk() == null ? null : JwkCodec.write(view.jwk());
    KeyArrival arrival = view.arrival();
    return new KeyJson(
        view.jkt(),
        jwk,
        view.id(),
        view.ep(),
        view.d(),
        state(view),
        view.note(),
        arrival == null ? null : Instant.ofEpochSecond(arrival.at()),
        arrival == null || arrival.from().isEmpty() ? null : arrival.from());
  }

  static String state(KeyView view) {
    TrustState state = view.state();
    return state == null ? "listed" : view.held() ? "held" : state.label();
  }
}
