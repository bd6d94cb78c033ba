package dev.vigil.gateway.passkeys;

import dev.vigil.gateway.accounts.PasskeyRecord;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.records.Versioned;
import java.util.List;

/**
 * Options for the browser's navigator.credentials, in the form for
 * PublicKeyCredential.parse...FromJSON (WebAuthn section 5.1.8).
 */
final class PasskeyOptions {
  private static final String TYPE = "public-key";
  private static final String TITLE = "Vigil";
  private static final String REQUIRED = "required";

  private PasskeyOptions() {}

  /**
   * @param id of the credential, base64url
   */
  record PasskeyDescriptorJson(String type, String id, List<String> transports) {
    static List<PasskeyDescriptorJson> of(
        List<Versioned<PasskeyRecord>> passkeys, Ceremonies ceremonies) {
      return passkeys.stream()
          .map(
              passkey ->
                  new PasskeyDescriptorJson(
                      TYPE, ceremonies.credentialId(passkey.value()), passkey.value().transports()))
          .toList();
    }
  }

  /** The gateway; the browser's dialog shows its name. */
  record RelyingPartyJson(String id, String name) {}

  /**
   * @param id handle of the account, base64url
   */
  record PasskeyUserJson(String id, String name, String displayName) {}

  /**
   * @param alg COSE number of the algorithm
   */
  record PasskeyAlgorithmJson(String type, int alg) {}

  record AuthenticatorSelectionJson(
      String residentKey, boolean requireResidentKey, String userVerification) {}

  /**
   * Options for navigator.credentials.create.
   *
   * @param challenge base64url; it is good for one answer
   * @param timeout milliseconds
   * @param excludeCredentials the account's existing passkeys
   */
  record PasskeyCreationOptionsJson(
      RelyingPartyJson rp,
      PasskeyUserJson user,
      String challenge,
      List<PasskeyAlgorithmJson> pubKeyCredParams,
      long timeout,
      List<PasskeyDescriptorJson> excludeCredentials,
      AuthenticatorSelectionJson authenticatorSelection,
      String attestation) {
    static PasskeyCreationOptionsJson of(
        RelyingParty party,
        String challenge,
        PasskeyUserJson user,
        List<PasskeyDescriptorJson> excludeCredentials) {
      return new PasskeyCreationOptionsJson(
          new RelyingPartyJson(party.id(), TITLE),
          user,
          challenge,
          Ceremonies.ALGORITHMS.stream().map(alg -> new PasskeyAlgorithmJson(TYPE, alg)).toList(),
          Challenges.MAX_AGE.toMillis(),
          excludeCredentials,
          new AuthenticatorSelectionJson(REQUIRED, true, REQUIRED),
          "none");
    }
  }

  /**
   * Options for navigator.credentials.get.
   *
   * @param challenge base64url; it is good for one answer
   * @param timeout milliseconds
   * @param allowCredentials the passkeys that may answer; empty: any
   */
  record PasskeyRequestOptionsJson(
      String challenge,
      String rpId,
      long timeout,
      List<PasskeyDescriptorJson> allowCredentials,
      String userVerification) {
    static PasskeyRequestOptionsJson of(
        RelyingParty party, String challenge, List<PasskeyDescriptorJson> allowCredentials) {
      return new PasskeyRequestOptionsJson(
          challenge, party.id(), Challenges.MAX_AGE.toMillis(), allowCredentials, REQUIRED);
    }
  }
}
