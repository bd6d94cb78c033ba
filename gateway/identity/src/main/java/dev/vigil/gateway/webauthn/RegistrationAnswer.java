package dev.vigil.gateway.webauthn;

import java.util.List;

/** An authenticator's answer that makes a passkey, in base64url. */
public record RegistrationAnswer(
    String clientData, String attestationObject, List<String> transports) {
  public RegistrationAnswer {
    transports = List.copyOf(transports);
  }
}
