package dev.vigil.gateway.passkeys;

import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.problems.ProblemException;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The result of navigator.credentials.get; all members are base64url.
 *
 * @param id of the credential
 * @param userHandle absent when the authenticator sent no handle
 */
public record PasskeyAnswerJson(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String clientDataJSON,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String authenticatorData,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String signature,
    @Nullable String userHandle) {
  /**
   * @throws ProblemException 4.00 when a member is missing
   */
  void require() {
    JsonBodies.required(id, "id");
    JsonBodies.required(clientDataJSON, "clientDataJSON");
    JsonBodies.required(authenticatorData, "authenticatorData");
    JsonBodies.required(signature, "signature");
  }
}
