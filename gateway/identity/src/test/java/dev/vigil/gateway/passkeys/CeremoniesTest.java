package dev.vigil.gateway.passkeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.gateway.accounts.PasskeyRecord;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.passkeys.PasskeyRefusedException.Reason;
import dev.vigil.gateway.testing.SettableClock;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CeremoniesTest {
  private static final String HOST = "gateway.example";
  private static final String ORIGIN = "https://gateway.example:8443";
  private static final String HANDLE = "AAECAwQFBgcICQoLDA0ODw";
  private static final RelyingParty PARTY = new RelyingParty(HOST, Set.of(ORIGIN));
  private static final Source SOURCE =
      Source.of(Standing.VERIFIED, InetAddress.ofLiteral("192.0.2.1"));

  private final SettableClock clock = new SettableClock();
  private final Ceremonies ceremonies = new Ceremonies(new SecureRandom(), clock);
  private final SoftAuthenticator authenticator = new SoftAuthenticator(ORIGIN, HOST);

  private String challenge(Purpose purpose) {
    return ceremonies.begin(purpose, PARTY, SOURCE);
  }

  private String forRegistration() {
    return challenge(new Purpose.Registration("ann", HANDLE));
  }

  private PasskeyRecord registered() throws PasskeyRefusedException {
    NewPasskeyJson answer = authenticator.create(forRegistration(), HANDLE);
    return ceremonies.register("ann", clock.instant(), "laptop", answer, PARTY).passkey();
  }

  private String refusal(NewPasskeyJson answer) {
    try {
      return ceremonies
          .register("ann", clock.instant(), "laptop", answer, PARTY)
          .passkey()
          .handle();
    } catch (PasskeyRefusedException e) {
      return e.reason() + " " + e.getMessage();
    }
  }

  private String refusal(PasskeyAnswerJson answer, PasskeyRecord stored) {
    return refusal(answer, stored, PARTY);
  }

  private String refusal(PasskeyAnswerJson answer, PasskeyRecord stored, RelyingParty party) {
    try {
      return "counter " + ceremonies.verify(ceremonies.read(answer, party), stored).counter();
    } catch (PasskeyRefusedException e) {
      return e.reason() + " " + e.getMessage();
    }
  }

  private PasskeyAnswerJson used() {
    return authenticator.get(challenge(new Purpose.SignIn()));
  }

  @Test
  void aPasskeyIsMadeAndUsed() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    assertThat(made.host()).isEqualTo(HOST);
    assertThat(made.counter()).isEqualTo(1);
    Ceremonies.Assertion assertion = ceremonies.read(used(), PARTY);
    assertThat(assertion.challenge().purpose()).isEqualTo(new Purpose.SignIn());
    assertThat(assertion.isOf(HANDLE, true)).isTrue();
    assertThat(assertion.isOf("AAAA", false)).isFalse();
    assertThat(ceremonies.verify(assertion, made).counter()).isEqualTo(2);
    assertThat(used().id()).isEqualTo(ceremonies.credentialId(made));
  }

  @Test
  void registrationReturnsTheHandleThatItBeganWith() {
    assertThat(refusal(authenticator.create(forRegistration(), HANDLE))).isEqualTo(HANDLE);
  }

  @Test
  void answersOfPagesElsewhereAreRefused() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    for (String origin :
        new String[] {
          "https://evil.example:8443",
          "https://gateway.example",
          "http://gateway.example:8443",
          "https://gateway.example.evil.example:8443",
          "android:apk-key-hash:x",
        }) {
      authenticator.origin = origin;
      assertThat(refusal(used(), made)).as(origin).isEqualTo("INVALID BadOrigin");
      assertThat(refusal(authenticator.create(forRegistration(), HANDLE)))
          .isEqualTo("INVALID BadOrigin");
    }
  }

  @Test
  void answersForAnotherHostNameAreRefused() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    authenticator.host = "example";
    assertThat(refusal(used(), made)).isEqualTo("INVALID BadRpId");
    assertThat(refusal(authenticator.create(forRegistration(), HANDLE)))
        .isEqualTo("INVALID BadRpId");
    authenticator.host = HOST;
    RelyingParty other = new RelyingParty("other.example", Set.of(ORIGIN));
    assertThat(refusal(used(), made, other)).startsWith("NOT_BEGUN");
  }

  @Test
  void aChallengeIsAnsweredOnce() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    PasskeyAnswerJson answer = used();
    assertThat(refusal(answer, made)).isEqualTo("counter 2");
    assertThat(refusal(answer, made)).startsWith("NOT_BEGUN");
    NewPasskeyJson registration = authenticator.create(forRegistration(), HANDLE);
    assertThat(refusal(registration)).isEqualTo(HANDLE);
    assertThat(refusal(registration)).startsWith("NOT_BEGUN");
  }

  @Test
  void aRefusedAnswerTakesItsChallengeAwayToo() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    String challenge = challenge(new Purpose.SignIn());
    authenticator.userVerified = false;
    assertThat(refusal(authenticator.get(challenge), made)).isEqualTo("INVALID UserNotVerified");
    authenticator.userVerified = true;
    assertThat(refusal(authenticator.get(challenge), made)).startsWith("NOT_BEGUN");
  }

  @Test
  void aChallengeEndsAfterFiveMinutes() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    PasskeyAnswerJson late = used();
    clock.pass(Duration.ofMinutes(5));
    assertThat(refusal(late, made)).startsWith("NOT_BEGUN");
    assertThat(refusal(authenticator.get("AAAA"), made)).startsWith("NOT_BEGUN");
  }

  @Test
  void aChallengeIsForOnePurposeAndAccount() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    String signIn = challenge(new Purpose.SignIn());
    assertThat(refusal(authenticator.create(signIn, HANDLE))).startsWith("NOT_BEGUN");
    assertThat(ceremonies.read(authenticator.get(forRegistration()), PARTY).challenge().purpose())
        .isInstanceOf(Purpose.Registration.class);
    String bobs = challenge(new Purpose.Registration("bob", HANDLE));
    assertThat(refusal(authenticator.create(bobs, HANDLE))).startsWith("NOT_BEGUN");
  }

  @Test
  void usersMustBeVerifiedWhenAPasskeyIsMade() {
    authenticator.userVerified = false;
    assertThat(refusal(authenticator.create(forRegistration(), HANDLE)))
        .isEqualTo("INVALID UserNotVerified");
  }

  @Test
  void aCounterThatStaysOrGoesBackIsReported() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    authenticator.counter = 9;
    PasskeyRecord after = ceremonies.verify(ceremonies.read(used(), PARTY), made);
    for (int counter : new int[] {9, 3}) {
      authenticator.counter = counter;
      assertThat(refusal(used(), after))
          .isEqualTo("COUNTER the signature counter went back from 9 to " + counter);
    }
    authenticator.counter = 0;
    assertThat(refusal(used(), after)).startsWith("COUNTER");
    authenticator.counter = 10;
    assertThat(refusal(used(), after)).isEqualTo("counter 10");
  }

  @Test
  void anAuthenticatorThatCountsNothingIsAccepted() throws PasskeyRefusedException {
    authenticator.counter = 0;
    PasskeyRecord made = registered();
    assertThat(refusal(used(), made)).isEqualTo("counter 0");
    assertThat(refusal(used(), made)).isEqualTo("counter 0");
  }

  @Test
  void anotherKeyDoesNotAnswerForAPasskey() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    SoftAuthenticator other = new SoftAuthenticator(ORIGIN, HOST);
    other.counter = 50;
    assertThat(refusal(other.get(challenge(new Purpose.SignIn())), made))
        .isEqualTo("INVALID BadSignature");
  }

  @Test
  void malformedAnswersAreRefused() throws PasskeyRefusedException {
    PasskeyRecord made = registered();
    PasskeyAnswerJson right = used();
    for (String wrong : new String[] {"", "!", "AA", "oWNhYmM", "eyJ0eXBlIjoxfQ", "bnVsbA"}) {
      assertThat(
              refusal(
                  new PasskeyAnswerJson(
                      right.id(), wrong, right.authenticatorData(), right.signature(), null),
                  made))
          .as(wrong)
          .startsWith("INVALID");
      assertThat(
              refusal(
                  new PasskeyAnswerJson(
                      right.id(), right.clientDataJSON(), wrong, right.signature(), null),
                  made))
          .as(wrong)
          .startsWith("INVALID");
      NewPasskeyJson answer = authenticator.create(forRegistration(), HANDLE);
      assertThat(refusal(new NewPasskeyJson(null, answer.clientDataJSON(), wrong, null)))
          .as(wrong)
          .startsWith(Reason.INVALID.name());
    }
    assertThat(refusal(right, made)).startsWith("counter");
  }
}
