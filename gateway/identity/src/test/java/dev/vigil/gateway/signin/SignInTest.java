package dev.vigil.gateway.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.accounts.AccountRecord;
import dev.vigil.gateway.accounts.PasswordRules;
import dev.vigil.gateway.accounts.SessionRecord;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.accounts.Site;
import dev.vigil.gateway.credentials.Credentials;
import dev.vigil.gateway.oidc.FakeProvider;
import dev.vigil.gateway.records.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class SignInTest {
  private final SignInSite site = new SignInSite();

  private String refusal(String name, String password) {
    try {
      site.signIn.signIn(name, password, Site.from(Site.SOURCE));
      return "";
    } catch (ErrorResponseException e) {
      return e.code().dotted() + " " + e.diagnostic();
    }
  }

  @Test
  void theRightPasswordBeginsASession() {
    String password = site.account("ann", "viewer");
    SignIn.Begun begun = site.signIn.signIn(" Ann ", password, Site.from(Site.SOURCE));
    assertThat(site.sessions.find(begun.session()))
        .hasValueSatisfying(session -> assertThat(session.value().account()).isEqualTo("ann"));
    assertThat(site.sessions.find(begun.session() + "x")).isEmpty();
  }

  @Test
  void aSessionThatEndsBeforeItsAnswerIsUnauthorized() {
    site.account("boss", "administrator");
    String password = site.account("ann", "viewer");
    SignIn.Begun begun = site.signIn.signIn("ann", password, Site.from(Site.SOURCE));
    Versioned<SessionRecord> session = site.sessions.find(begun.session()).orElseThrow();
    SessionAnswers answers =
        new SessionAnswers(
            site.sessions, site.credentials(Optional.empty()), FakeProvider.none(site.clock));
    site.change("ann", Site.disabled("viewer"));
    assertThatThrownBy(() -> answers.json("ann", session)).hasMessageContaining("sign in first");
    site.sessions.endAll("ann");
    assertThatThrownBy(() -> answers.begun(new MockHttpServletRequest(), begun))
        .hasMessageContaining("sign in first");
  }

  @Test
  void everyOtherAnswerIsTheSame() {
    site.account("boss", "administrator");
    String password = site.account("ann", "viewer");
    site.account("bob", "viewer");
    site.change("bob", Site.disabled("viewer"));
    String wrong = refusal("ann", password + "x");
    assertThat(wrong).isEqualTo("4.01 the name or the password is wrong");
    assertThat(refusal("nobody", password)).isEqualTo(wrong);
    assertThat(refusal("no\nname", password)).isEqualTo(wrong);
    assertThat(refusal("bob", "the password of bob is long")).isEqualTo(wrong);
    assertThat(refusal("ann", "")).isEqualTo(wrong);
    assertThat(refusal("ann", password)).isEmpty();
  }

  @Test
  void aOneTimePasswordIsReplacedByAnotherOne() {
    String once = site.create("ann", Site.roles("viewer"));
    SignIn.Begun first = site.signIn.signIn("ann", once, Site.from(Site.SOURCE));
    SignInContext context = Site.from(Site.SOURCE);
    assertThatThrownBy(() -> site.signIn.changePassword("ann", once, once, context))
        .hasMessageContaining("must differ");
    assertThatThrownBy(() -> site.signIn.changePassword("ann", once, "too short", context))
        .hasMessageContaining("12 characters");
    site.signIn.changePassword("ann", once, "a better password", context);
    assertThat(site.accounts.find("ann"))
        .hasValueSatisfying(a -> assertThat(a.oneTime()).isFalse());
    assertThat(site.sessions.find(first.session())).isEmpty();
    assertThat(refusal("ann", once)).startsWith("4.01");
    assertThat(refusal("ann", "a better password")).isEmpty();
  }

  @Test
  void composedAndDecomposedLettersAreTheSamePassword() {
    String once = site.create("ann", Site.roles("viewer"));
    site.signIn.changePassword("ann", once, "Zürich im Sommer", Site.from(Site.SOURCE));
    assertThat(refusal("ann", "Zu\u0308rich im Sommer")).isEmpty();
  }

  @Test
  void passwordsAreHashedWithArgon2id() {
    String password = site.account("ann", "viewer");
    String hash = site.accounts.find("ann").orElseThrow().password();
    assertThat(hash).startsWith("{argon2}$argon2id$v=19$m=8,t=1,p=1$").doesNotContain(password);
  }

  @Test
  void aHashOfAnOlderVersionIsReplacedAtTheNextSignIn() {
    String password = site.account("ann", "viewer");
    String hash = site.accounts.find("ann").orElseThrow().password();
    site.setPassword("ann", hash.substring("{argon2}".length()));
    String session = site.open("ann", null);
    assertThat(refusal("ann", password + "x")).startsWith("4.01");
    assertThat(refusal("ann", password)).isEmpty();
    AccountRecord after = site.accounts.find("ann").orElseThrow();
    assertThat(after.password()).startsWith("{argon2}$argon2id$").isNotEqualTo(hash);
    assertThat(refusal("ann", password)).isEmpty();
    assertThat(site.accounts.find("ann").orElseThrow().password()).isEqualTo(after.password());
    assertThat(after.permits(site.sessions.find(session).orElseThrow().value())).isTrue();
  }

  @Test
  void aPasswordChangeDuringTheSignInInvalidatesTheSession() throws Exception {
    String password = site.account("ann", "viewer");
    String other = site.hasher.hash("another long password");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Hold first = new Hold(threads);
      Hold second = new Hold(threads);
      first.running.await();
      second.running.await();
      Future<SignIn.Begun> late =
          threads.submit(() -> site.signIn.signIn("ann", password, Site.from(Site.SOURCE)));
      awaitWaiting(1);
      site.setPassword("ann", other);
      site.sessions.endAll("ann");
      first.release.countDown();
      second.release.countDown();
      Credentials cookie = new Credentials(null, late.get().session());
      assertThat(site.credentials(Optional.empty()).identify(cookie, Site.SOURCE))
          .isInstanceOf(Caller.Anonymous.class);
    }
  }

  @Test
  void aResetDuringAChangeOfThePasswordPrevails() throws Exception {
    String password = site.account("ann", "viewer");
    List<String> once = new ArrayList<>();
    assertThat(refusalOfAChange(password, () -> once.add(site.reset("ann"))))
        .isEqualTo("the name or the password is wrong");
    assertThat(site.sessions.list("ann"::equals)).isEmpty();
    assertThat(refusal("ann", "a better password")).startsWith("4.01");
    assertThat(refusal("ann", once.getFirst())).isEmpty();
    assertThat(site.accounts.find("ann"))
        .hasValueSatisfying(account -> assertThat(account.oneTime()).isTrue());
  }

  @Test
  void aChangeOfThePasswordDoesNotReachALaterAccountOfTheName() throws Exception {
    site.account("boss", "administrator");
    String password = site.account("ann", "viewer");
    List<String> once = new ArrayList<>();
    Runnable replace =
        () -> {
          site.remove("ann");
          once.add(site.create("ann", Site.roles("operator")));
        };
    assertThat(refusalOfAChange(password, replace)).isEqualTo("the name or the password is wrong");
    assertThat(site.sessions.list("ann"::equals)).isEmpty();
    assertThat(refusal("ann", once.getFirst())).isEmpty();
  }

  @Test
  void aDisabledAccountsPasswordDoesNotChange() throws Exception {
    site.account("boss", "administrator");
    String password = site.account("ann", "viewer");
    String hash = site.accounts.find("ann").orElseThrow().password();
    Runnable disable = () -> site.change("ann", Site.disabled("viewer"));
    assertThat(refusalOfAChange(password, disable)).isEqualTo("the name or the password is wrong");
    assertThat(site.accounts.find("ann").orElseThrow().password()).isEqualTo(hash);
  }

  /**
   * Changes the password of ann.
   *
   * @param meanwhile runs after the present password was checked, before the new one is hashed
   * @return the refusal, or the account if there is none
   */
  private String refusalOfAChange(String password, Runnable meanwhile) throws Exception {
    SignInContext context = Site.from(Site.SOURCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Hold first = new Hold(threads);
      Hold second = new Hold(threads);
      first.running.await();
      second.running.await();
      Future<SignIn.Begun> change =
          threads.submit(
              () -> site.signIn.changePassword("ann", password, "a better password", context));
      awaitWaiting(1);
      Hold afterTheCheck = new Hold(threads);
      awaitWaiting(2);
      second.release.countDown();
      afterTheCheck.running.await();
      awaitWaiting(1);
      meanwhile.run();
      first.release.countDown();
      afterTheCheck.release.countDown();
      return change.get().account();
    } catch (ExecutionException e) {
      return e.getCause() instanceof ErrorResponseException refused
          ? refused.diagnostic()
          : e.toString();
    }
  }

  private void awaitWaiting(int count) {
    while (site.hasher.waiting() != count) {
      Thread.onSpinWait();
    }
  }

  /** Takes one of the hasher's two places in its turn, until it is released. */
  private final class Hold {
    final CountDownLatch running = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);

    Hold(ExecutorService threads) {
      threads.submit(() -> site.hasher.matches("x", null, this::hold));
    }

    private void hold() {
      running.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void newPasswordsFollowTheRules() {
    for (String wrong : List.of("short", "x".repeat(300), "abababababab", "ann-ann-annannxy", "")) {
      assertThatThrownBy(() -> PasswordRules.require("ann", wrong))
          .as(wrong)
          .hasMessageStartingWith("the new password ");
    }
    PasswordRules.require("ann", "correct horse battery");
    PasswordRules.require(
        "ann", "\u65e5\u672c\u8a9e\u306e\u30d1\u30b9\u30ef\u30fc\u30c9\u3067\u3059\u306d");
  }
}
