package dev.vigil.gateway.signin;

import dev.vigil.gateway.accounts.Sessions;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.credentials.GatewayCookie;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.oidc.ProviderAccount;
import dev.vigil.gateway.oidc.SignInFailedException;
import dev.vigil.gateway.oidc.SignInProvider;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the ways to sign in, and signs in through the provider of the settings. */
@RestController
class SignInWaysController {
  /** The sign-in page, which also explains why a sign-in through the provider failed. */
  private static final String SIGN_IN_PAGE = "/?sign-in=%s#/sign-in";

  private static final long RETRY_SECONDS = 5;

  private final SignInProvider provider;
  private final Sessions sessions;

  SignInWaysController(SignInProvider provider, Sessions sessions) {
    this.provider = provider;
    this.sessions = sessions;
  }

  /**
   * @param provider name of the provider through which people can also sign in; absent without a
   *     provider in the settings
   * @param passkeys whether passkeys work with the host name of the request; browsers also require
   *     HTTPS or localhost
   */
  record SignInWaysJson(@Nullable String provider, boolean passkeys) {}

  /**
   * @param location the provider's address, to which the browser must go
   */
  record ProviderSignInJson(String location) {}

  @Operation(operationId = "getSignInWays", summary = "The ways to sign in")
  @GetMapping("/api/sign-in")
  SignInWaysJson ways(HttpServletRequest request) {
    return new SignInWaysJson(
        provider.title().isEmpty() ? null : provider.title(), RelyingParty.of(request).isPresent());
  }

  @Operation(
      operationId = "beginProviderSignIn",
      summary = "Begins a sign-in through the provider of the settings",
      description =
          "Send the browser to location with the cookie of the response; it returns with a session."
              + " 404 without a provider, 503 when the provider does not answer.")
  @PostMapping("/api/sign-in/provider")
  ResponseEntity<ProviderSignInJson> begin(HttpServletRequest request) {
    if (provider.title().isEmpty()) {
      throw new ProblemException(ProblemType.NOT_FOUND, "the settings name no sign-in provider");
    }
    boolean secure = GatewayCookie.isSecure(request);
    try {
      SignInProvider.Begun begun = provider.begin(secure, authority(request));
      return ResponseEntity.ok()
          .header(HttpHeaders.SET_COOKIE, GatewayCookie.SIGN_IN.set(secure, begun.cookie()))
          .body(new ProviderSignInJson(begun.location().toString()));
    } catch (SignInFailedException e) {
      throw new ProblemException(
          ProblemType.OVERLOADED,
          provider.title() + " does not answer; sign in with a password, or try again",
          RETRY_SECONDS);
    }
  }

  /** The provider redirects the browser here. Further parameters are ignored. */
  @GetMapping(SignInProvider.CALLBACK)
  ResponseEntity<Void> finish(
      HttpServletRequest request,
      @RequestParam @Nullable String state,
      @RequestParam @Nullable String code,
      @RequestParam @Nullable String iss) {
    InetAddress source = InetAddress.ofLiteral(request.getRemoteAddr());
    SignInProvider.Answer answer =
        new SignInProvider.Answer(
            GatewayCookie.SIGN_IN.of(request),
            GatewayCookie.SIGN_IN.isPrefixed(request),
            authority(request),
            state,
            code,
            iss,
            source);
    boolean secure = provider.isSecure(answer) || GatewayCookie.isSecure(request);
    ResponseEntity.BodyBuilder response =
        ResponseEntity.status(HttpStatus.SEE_OTHER)
            .header(HttpHeaders.SET_COOKIE, GatewayCookie.SIGN_IN.clear(secure));
    try {
      ProviderAccount account = provider.finish(answer);
      String session = sessions.open(account, SignInContext.of(request));
      return response
          .header(HttpHeaders.SET_COOKIE, GatewayCookie.SESSION.set(secure, session))
          .location(URI.create("/"))
          .build();
    } catch (SignInFailedException e) {
      return response.location(URI.create(SIGN_IN_PAGE.formatted(e.reason().label()))).build();
    }
  }

  /** The host that the browser named; the host filter has permitted it. */
  private static String authority(HttpServletRequest request) {
    String host = request.getHeader(HttpHeaders.HOST);
    return host == null ? "localhost" : host;
  }
}
