package dev.vigil.gateway.accounts;

import dev.vigil.gateway.accounts.PasskeyOptions.PasskeyDescriptorJson;
import dev.vigil.gateway.accounts.PasskeyOptions.PasskeyRequestOptionsJson;
import dev.vigil.gateway.accounts.SessionAnswers.SessionJson;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.webauthn.AssertionAnswer;
import dev.vigil.gateway.webauthn.Ceremonies;
import dev.vigil.gateway.webauthn.RelyingParty;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Signing in with a passkey, alone or after the password. */
@RestController
class PasskeySignInController {
  private final PasskeySignIn signIn;
  private final Ceremonies ceremonies;
  private final SessionAnswers answers;

  PasskeySignInController(PasskeySignIn signIn, Ceremonies ceremonies, SessionAnswers answers) {
    this.signIn = signIn;
    this.ceremonies = ceremonies;
    this.answers = answers;
  }

  /**
   * The beginning of a sign-in; without members one with the passkey alone.
   *
   * @param account that demands a passkey besides its password
   */
  record PasskeyBeginJson(@Nullable String account, @Nullable String password) {
    @Override
    public String toString() {
      return "PasskeyBeginJson[not shown]";
    }
  }

  /**
   * The answer of navigator.credentials.get; all members are base64url.
   *
   * @param id of the credential
   * @param userHandle absent when the authenticator sent none
   */
  record PasskeyAnswerJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String id,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String clientDataJSON,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String authenticatorData,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String signature,
      @Nullable String userHandle) {
    AssertionAnswer answer() {
      return new AssertionAnswer(
          JsonBodies.required(id, "id"),
          JsonBodies.required(clientDataJSON, "clientDataJSON"),
          JsonBodies.required(authenticatorData, "authenticatorData"),
          JsonBodies.required(signature, "signature"),
          userHandle);
    }
  }

  @Operation(
      operationId = "beginPasskeySignIn",
      summary = "Begins a sign-in with a passkey",
      description =
          "Passkeys work under the gateway's host names over HTTPS, and as localhost. An account"
              + " whose POST /api/session is answered by the problem passkey-needed gives name and"
              + " password here. The challenge is good for one answer within five minutes.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasskeyBeginJson.class))))
  @PostMapping(path = "/api/sign-in/passkey/options", consumes = MediaType.APPLICATION_JSON_VALUE)
  PasskeyRequestOptionsJson begin(HttpServletRequest request) throws IOException {
    HttpCallers.of(request);
    PasskeyBeginJson body = JsonBodies.read(request, PasskeyBeginJson.class);
    RelyingParty party = RelyingParty.require(request);
    Place place = Place.of(request);
    PasskeySignIn.Begun begun =
        body.account() == null && body.password() == null
            ? signIn.begin(party, place.source())
            : signIn.begin(
                JsonBodies.required(body.account(), "account"),
                JsonBodies.required(body.password(), "password"),
                party,
                place);
    return PasskeyRequestOptionsJson.of(
        party, begun.challenge(), PasskeyDescriptorJson.of(begun.allowed(), ceremonies));
  }

  @Operation(
      operationId = "signInWithPasskey",
      summary = "Signs in with a passkey: the answer sets the session's cookie",
      description = "After too many refused passkeys of an address the answer is 429.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasskeyAnswerJson.class))))
  @PostMapping(path = "/api/sign-in/passkey", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<SessionJson> finish(HttpServletRequest request) throws IOException {
    HttpCallers.of(request);
    AssertionAnswer answer = JsonBodies.read(request, PasskeyAnswerJson.class).answer();
    SignIn.Begun begun = signIn.finish(answer, RelyingParty.require(request), Place.of(request));
    return answers.begun(request, begun);
  }
}
