package dev.vigil.gateway.passkeys;

import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.passkeys.PasskeyOptions.PasskeyDescriptorJson;
import dev.vigil.gateway.passkeys.PasskeyOptions.PasskeyRequestOptionsJson;
import dev.vigil.gateway.signin.SessionAnswers;
import dev.vigil.gateway.signin.SessionAnswers.SessionJson;
import dev.vigil.gateway.signin.SignIn;
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

/** Signs in with a passkey, alone or after the password. */
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
   * The beginning of a sign-in. Without members the passkey alone suffices.
   *
   * @param account name of an account that requires a passkey in addition to its password
   */
  record PasskeyBeginJson(@Nullable String account, @Nullable String password) {
    @Override
    public String toString() {
      return "PasskeyBeginJson[not shown]";
    }
  }

  @Operation(
      operationId = "beginPasskeySignIn",
      summary = "Begins a sign-in with a passkey",
      description =
          "Passkeys work with the gateway's host names over HTTPS, and with localhost. If"
              + " POST /api/session returns the problem passkey-needed, send name and password here."
              + " The challenge is valid for one answer within five minutes.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasskeyBeginJson.class))))
  @PostMapping(path = "/api/sign-in/passkey/options", consumes = MediaType.APPLICATION_JSON_VALUE)
  PasskeyRequestOptionsJson begin(HttpServletRequest request) throws IOException {
    PasskeyBeginJson body = JsonBodies.read(request, PasskeyBeginJson.class);
    RelyingParty party = RelyingParty.require(request);
    SignInContext context = SignInContext.of(request);
    PasskeySignIn.Begun begun =
        body.account() == null && body.password() == null
            ? signIn.begin(party, context.source())
            : signIn.begin(
                JsonBodies.required(body.account(), "account"),
                JsonBodies.required(body.password(), "password"),
                party,
                context);
    return PasskeyRequestOptionsJson.of(
        party, begun.challenge(), PasskeyDescriptorJson.of(begun.allowed(), ceremonies));
  }

  @Operation(
      operationId = "signInWithPasskey",
      summary = "Signs in with a passkey; the response sets the session cookie",
      description = "After too many refused passkeys from an address the response is 429.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PasskeyAnswerJson.class))))
  @PostMapping(path = "/api/sign-in/passkey", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<SessionJson> finish(HttpServletRequest request) throws IOException {
    PasskeyAnswerJson answer = JsonBodies.read(request, PasskeyAnswerJson.class);
    answer.require();
    SignIn.Begun begun =
        signIn.finish(answer, RelyingParty.require(request), SignInContext.of(request));
    return answers.begun(request, begun);
  }
}
