package dev.vigil.gateway.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.access.SealedValues;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.signin.SignInLimiter.Attempt;
import dev.vigil.gateway.testing.SettableClock;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SignInLimiterTest {
  private final SettableClock clock = new SettableClock();
  private final SignInLimiter limiter = new SignInLimiter(clock);

  private static Attempt attempt(String account, int from, @Nullable String browser) {
    return new Attempt(account, InetAddress.ofLiteral("198.51.100." + from), browser);
  }

  private boolean allows(Attempt attempt) {
    try {
      limiter.require(attempt);
      return true;
    } catch (ErrorResponseException e) {
      assertThat(e.code().dotted()).isEqualTo("4.29");
      assertThat(e.response().maxAge()).isPositive();
      return false;
    }
  }

  private void fail(Attempt attempt, int times) {
    for (int i = 0; i < times; i++) {
      limiter.failed(attempt);
    }
  }

  @Test
  void oneAddressGuessesTenTimesAMinuteForAnyAccounts() {
    for (int i = 0; i < 10; i++) {
      assertThat(allows(attempt("user-" + i, 1, null))).isTrue();
      limiter.failed(attempt("user-" + i, 1, null));
    }
    assertThat(allows(attempt("other", 1, null))).isFalse();
    assertThat(allows(attempt("other", 2, null))).isTrue();
    clock.pass(Duration.ofMinutes(1));
    assertThat(allows(attempt("other", 1, null))).isTrue();
  }

  @Test
  void manyAddressesGuessTheSameAccountSlowly() {
    for (int from = 1; from <= 20; from++) {
      fail(attempt("ann", from, null), 1);
    }
    assertThat(allows(attempt("ann", 99, null))).isFalse();
    assertThat(allows(attempt("bob", 99, null))).isTrue();
    clock.pass(Duration.ofMinutes(1));
    assertThat(allows(attempt("ann", 99, null))).isTrue();
  }

  @Test
  void aBrowserThatTheAccountKnowsIsNotLockedOutByOthers() {
    fail(attempt("ann", 1, null), 50);
    assertThat(allows(attempt("ann", 1, null))).isFalse();
    assertThat(allows(attempt("ann", 1, "her browser"))).isTrue();
    fail(attempt("ann", 1, "her browser"), 10);
    assertThat(allows(attempt("ann", 1, "her browser"))).isFalse();
  }

  @Test
  void onlyItsOwnAccountKnowsABrowser() {
    Secrets secrets = new Secrets(new SecureRandom());
    SealedValues browsers = new SealedValues(new byte[32]);
    String cookie = browsers.seal("ann", secrets.random());
    assertThat(browsers.open("ann", cookie)).isNotNull();
    assertThat(browsers.open("bob", cookie)).isNull();
    assertThat(browsers.open("ann", null)).isNull();
    assertThat(browsers.open("ann", cookie.substring(1) + "A")).isNull();
    assertThat(new SealedValues(new byte[] {1}).open("ann", cookie)).isNull();
  }
}
