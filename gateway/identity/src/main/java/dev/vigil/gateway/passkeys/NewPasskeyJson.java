package dev.vigil.gateway.passkeys;

import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The result of navigator.credentials.create.
 *
 * @param name the user's name for the passkey
 * @param clientDataJSON base64url
 * @param attestationObject base64url
 * @param transports the result of getTransports
 */
public record NewPasskeyJson(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String name,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String clientDataJSON,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String attestationObject,
    @Nullable List<String> transports) {
  private static final Pattern TRANSPORT = Pattern.compile("[a-z-]{1,16}");
  private static final int MAX_TRANSPORTS = 8;

  /**
   * @throws ProblemException 4.00 when a member is missing or malformed
   */
  void require() {
    JsonBodies.required(clientDataJSON, "clientDataJSON");
    JsonBodies.required(attestationObject, "attestationObject");
    if (transports != null
        && (transports.size() > MAX_TRANSPORTS
            || transports.stream().anyMatch(t -> t == null || !TRANSPORT.matcher(t).matches()))) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, "the member transports must be the result of getTransports");
    }
  }
}
