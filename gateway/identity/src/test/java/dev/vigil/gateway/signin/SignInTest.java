package dev.vigil.gateway.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.accounts.AccountRecord;
import dev.vigil.gateway.accounts.PasswordRules;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.accounts.Site;
import dev.vigil.gateway.credentials.Credentials;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

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
    assertThat(hash).startsWith("{argon2}$argon2id$v=19$m=19456,t=2,p=1$").doesNotContain(password);
  }

  @Test
  void aHashOfAnOlderVersionIsReplacedAtTheNextSignIn() {
    String password = site.account("ann", "viewer");
    String hash = site.accounts.find("ann").orElseThrow().password();
    site.accounts.setPassword("ann", hash.substring("{argon2}".length()), Site.BY_TEST);
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
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    Runnable hold =
        () -> {
          running.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> site.hasher.matches("x", null, hold));
      threads.submit(() -> site.hasher.matches("x", null, hold));
      running.await();
      Future<SignIn.Begun> late =
          threads.submit(() -> site.signIn.signIn("ann", password, Site.from(Site.SOURCE)));
      while (site.hasher.waiting() == 0) {
        Thread.onSpinWait();
      }
      site.accounts.setPassword("ann", other, Site.BY_TEST);
      site.sessions.endAll("ann");
      release.countDown();
      Credentials cookie = new Credentials(null, late.get().session());
      assertThat(site.credentials(Optional.empty()).identify(cookie, Site.SOURCE))
          .isInstanceOf(Caller.Anonymous.class);
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
