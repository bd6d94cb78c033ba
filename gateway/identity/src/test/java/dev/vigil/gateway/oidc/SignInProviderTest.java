package dev.vigil.gateway.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.oidc.SignInFailedException.Reason;
import dev.vigil.gateway.oidc.SignInProvider.Answer;
import dev.vigil.gateway.oidc.SignInProvider.Begun;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.testing.OwnSecrets;
import dev.vigil.gateway.testing.SettableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SignInProviderTest {
  private static final String HOST = "gateway.example:8443";
  private static final InetAddress SOURCE = InetAddress.ofLiteral("192.0.2.1");

  private final SettableClock clock = new SettableClock();
  private final FakeProvider fake = new FakeProvider(clock);
  private final SignInProvider provider = provider(fake.settings());

  @AfterEach
  void stop() {
    fake.close();
  }

  private SignInProvider provider(OidcProperties settings) {
    try {
      return new SignInProvider(settings, OwnSecrets.NONE_SHARED, new SecureRandom(), clock);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Answer answer(@Nullable String cookie, @Nullable String state) {
    return answer(cookie, true, state);
  }

  private static Answer answer(@Nullable String cookie, boolean prefixed, @Nullable String state) {
    return new Answer(cookie, prefixed, HOST, state, "code", null, SOURCE);
  }

  /** Completes a pending sign-in with the provider's answer. */
  private ProviderAccount signIn() throws SignInFailedException {
    Begun begun = provider.begin(true, HOST);
    return provider.finish(answer(begun.cookie(), fake.authorize(begun.location()).get("state")));
  }

  private Reason failure(Answer answer) {
    return failure(provider, answer);
  }

  private static Reason failure(SignInProvider provider, Answer answer) {
    try {
      provider.finish(answer);
      throw new AssertionError("signed in");
    } catch (SignInFailedException e) {
      return e.reason();
    }
  }

  private Reason failure() throws SignInFailedException {
    Begun begun = provider.begin(true, HOST);
    return failure(answer(begun.cookie(), fake.authorize(begun.location()).get("state")));
  }

  @Test
  void aPersonWithARoleSignsInWithStateNonceAndPkce() throws SignInFailedException {
    Begun begun = provider.begin(true, HOST);
    Map<String, String> asked = fake.authorize(begun.location());
    assertThat(asked)
        .containsEntry("redirect_uri", "https://" + HOST + "/sign-in/callback")
        .containsEntry("response_type", "code")
        .containsEntry("scope", "openid profile")
        .containsEntry("code_challenge_method", "S256")
        .containsKeys("nonce", "code_challenge");
    ProviderAccount account = provider.finish(answer(begun.cookie(), asked.get("state")));
    assertThat(account.name()).isEqualTo("ann");
    assertThat(account.login())
        .isEqualTo(new ProviderLogin(fake.issuer(), "7f3a", List.of("crew")));
    assertThat(provider.grants(account.login()).texts()).containsExactly("operator:plant");
  }

  @Test
  void anAnswerThatThisBrowserDidNotAskForIsRefused() throws SignInFailedException {
    Begun begun = provider.begin(true, HOST);
    Begun other = provider.begin(true, HOST);
    String state = fake.authorize(begun.location()).get("state");
    String altered = (begun.cookie().startsWith("A") ? "B" : "A") + begun.cookie().substring(1);
    for (Answer wrong :
        List.of(
            answer(null, state),
            answer(begun.cookie(), null),
            answer(begun.cookie(), "x"),
            answer(other.cookie(), state),
            answer(altered, state),
            answer("x".repeat(86), state))) {
      assertThat(failure(wrong)).isEqualTo(Reason.NOT_BEGUN);
    }
    clock.pass(Duration.ofMinutes(11));
    assertThat(failure(answer(begun.cookie(), state))).isEqualTo(Reason.NOT_BEGUN);
    assertThat(fake.requests).doesNotContain("/token");
  }

  @Test
  void aCookieThatAnotherHostMayHaveSetBeganNoSignInOverHttps() throws SignInFailedException {
    Begun begun = provider.begin(true, HOST);
    String state = fake.authorize(begun.location()).get("state");
    assertThat(failure(answer(begun.cookie(), false, state))).isEqualTo(Reason.NOT_BEGUN);
    assertThat(fake.requests).doesNotContain("/token");
    assertThat(provider.finish(answer(begun.cookie(), true, state)).name()).isEqualTo("ann");
    Begun plain = provider.begin(false, HOST);
    String plainState = fake.authorize(plain.location()).get("state");
    assertThat(provider.finish(answer(plain.cookie(), false, plainState)).name()).isEqualTo("ann");
  }

  @Test
  void anIdTokenThatProvesNothingHereIsRefused() throws SignInFailedException {
    List<Consumer<JwtClaims>> lies =
        List.of(
            claims -> claims.setStringClaim("nonce", "of another sign-in"),
            claims -> claims.unsetClaim("nonce"),
            claims -> claims.setAudience("another-client"),
            claims -> claims.setIssuer("http://127.0.0.1:1"),
            claims -> claims.setExpirationTime(NumericDate.fromSeconds(1)),
            claims -> claims.unsetClaim("sub"),
            claims -> claims.setStringClaim("preferred_username", "a/token"),
            claims -> claims.unsetClaim("preferred_username"));
    for (Consumer<JwtClaims> lie : lies) {
      fake.lie = lie;
      assertThat(failure()).isEqualTo(Reason.INVALID);
    }
    fake.lie = claims -> {};
    fake.signer = FakeProvider.key();
    assertThat(failure()).isEqualTo(Reason.INVALID);
  }

  @Test
  void userInfoOfNobodyOrOfAnotherPersonIsRefused() throws SignInFailedException {
    for (String info :
        List.of(
            "{}",
            "{\"name\":\"Ann\"}",
            "{\"sub\":\"another\"}",
            "{\"sub\":7}",
            "[]",
            "null",
            "no JSON")) {
      fake.userInfo = info;
      assertThat(failure()).as(info).isEqualTo(Reason.INVALID);
      clock.pass(Duration.ofMinutes(1));
    }
    fake.userInfo = "{\"sub\":\"7f3a\"}";
    assertThat(signIn().name()).isEqualTo("ann");
  }

  @Test
  void aPersonWithoutARoleIsRefused() throws SignInFailedException {
    fake.lie = claims -> claims.setStringListClaim("groups", "everybody");
    assertThat(failure()).isEqualTo(Reason.NO_ROLE);
    fake.lie = claims -> claims.unsetClaim("groups");
    assertThat(failure()).isEqualTo(Reason.NO_ROLE);
  }

  @Test
  void aProviderThatIsAwayIsAskedSeldomAndComesBack() throws SignInFailedException {
    fake.isAway = true;
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> provider.begin(true, HOST))
          .isInstanceOfSatisfying(
              SignInFailedException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE));
    }
    assertThat(fake.requests).hasSize(1);
    fake.isAway = false;
    clock.pass(Duration.ofSeconds(3));
    assertThat(signIn().name()).isEqualTo("ann");
    assertThat(fake.requests.stream().filter(path -> path.startsWith("/.well"))).hasSize(2);
  }

  @Test
  void thePauseBeginsWhenAnAttemptWithoutAnAnswerEnds() {
    fake.isAway = true;
    fake.delay = () -> clock.pass(Duration.ofSeconds(5));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> provider.begin(true, HOST))
          .isInstanceOf(SignInFailedException.class);
    }
    assertThat(fake.requests).hasSize(1);
  }

  @Test
  void failedSignInsOfAnAddressAreLimited() throws SignInFailedException {
    fake.lie = claims -> claims.setStringListClaim("groups", "everybody");
    for (int i = 0; i < 10; i++) {
      assertThat(failure()).isEqualTo(Reason.NO_ROLE);
    }
    fake.lie = claims -> {};
    assertThat(failure()).isEqualTo(Reason.TOO_MANY);
    clock.pass(Duration.ofMinutes(1));
    assertThat(signIn().name()).isEqualTo("ann");
  }

  @Test
  void callbacksThatAnyPageCanCauseLockNoAddressOut() throws SignInFailedException {
    for (int i = 0; i < 20; i++) {
      assertThat(failure(answer(null, "x"))).isEqualTo(Reason.NOT_BEGUN);
      assertThat(failure(answer(null, null))).isEqualTo(Reason.NOT_BEGUN);
    }
    assertThat(signIn().name()).isEqualTo("ann");
  }

  @Test
  void aProviderThatIsAwayLocksNoAddressOut() throws SignInFailedException {
    SignInProvider left;
    Answer answer;
    try (FakeProvider other = new FakeProvider(clock)) {
      left = provider(other.settings());
      Begun begun = left.begin(true, HOST);
      answer = answer(begun.cookie(), other.authorize(begun.location()).get("state"));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(failure(left, answer)).isEqualTo(Reason.UNAVAILABLE);
    }
  }

  @Test
  void errorsOfTheProvidersServerLockNoAddressOut() throws SignInFailedException {
    Begun begun = provider.begin(true, HOST);
    Answer answer = answer(begun.cookie(), fake.authorize(begun.location()).get("state"));
    fake.isAway = true;
    for (int i = 0; i < 20; i++) {
      assertThat(failure(answer)).isEqualTo(Reason.UNAVAILABLE);
      clock.pass(Duration.ofSeconds(3));
    }
    fake.isAway = false;
    assertThat(signIn().name()).isEqualTo("ann");
  }

  @Test
  void rolesFollowTheSettings() {
    ProviderLogin login = new ProviderLogin(fake.issuer(), "7f3a", List.of("crew"));
    assertThat(FakeProvider.none(clock).grants(login).roles()).isEmpty();
    assertThat(provider.grants(new ProviderLogin("https://other", "7f3a", List.of("crew"))).roles())
        .isEmpty();
  }

  @Test
  void valuesOfNestedClaimsAndOfTextsAreFound() {
    ClaimRoles nested = roles("realm_access.roles", "viewer");
    assertThat(nested.known(Map.of("realm_access", Map.of("roles", List.of("crew", "x")))))
        .containsExactly("crew");
    assertThat(nested.known(Map.of("realm_access.roles", "crew"))).containsExactly("crew");
    assertThat(nested.known(Map.of("realm_access", "crew"))).isEmpty();
  }

  private static ClaimRoles roles(String claim, String role) {
    return new ClaimRoles(
        new OidcProperties(
            URI.create("https://login.example"),
            "vigil",
            "",
            "",
            List.of(),
            "sub",
            claim,
            List.of(new OidcProperties.ValueRoles("crew", List.of(role))),
            ""));
  }

  @Test
  void wrongSettingsAreNamed() {
    assertThatThrownBy(() -> roles("groups", "king"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith("accounts.oidc.roles[0].roles is wrong: a role is viewer");
    for (String issuer :
        List.of("http://login.example", "https://login.example/?a=b", "ftp://localhost", "x")) {
      assertThatThrownBy(
              () ->
                  new OidcProperties(
                      URI.create(issuer),
                      "vigil",
                      "",
                      "",
                      List.of(),
                      "sub",
                      "groups",
                      List.of(),
                      ""))
          .hasMessageStartingWith("accounts.oidc.issuer takes an address such as");
    }
  }
}
