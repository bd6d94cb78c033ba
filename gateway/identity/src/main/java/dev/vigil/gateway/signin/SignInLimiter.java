package dev.vigil.gateway.signin;

import dev.vigil.coap.limits.RateLimiter;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.gateway.access.FailedAttemptLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits wrong passwords by source and by account, so that guessing is slow from one address and
 * from many. A browser in which the account has signed in before has a separate limit. Failures of
 * others, even from the same address, do not lock it out.
 */
final class SignInLimiter {
  private static final Logger log = LoggerFactory.getLogger(SignInLimiter.class);
  private static final Rate BY_ACCOUNT = new Rate(20, Duration.ofMinutes(20));
  private static final Rate BY_BROWSER = new Rate(10, Duration.ofMinutes(10));

  private final FailedAttemptLimiter sources;
  private final RateLimiter<String> accounts;
  private final RateLimiter<String> browsers;

  /**
   * An attempt to sign in.
   *
   * @param account the given name, even if no such account exists
   * @param browser id of the browser if the account has signed in there before; otherwise null
   */
  record Attempt(String account, InetAddress source, @Nullable String browser) {}

  SignInLimiter(Clock clock) {
    this.sources = new FailedAttemptLimiter(clock);
    this.accounts = new RateLimiter<>(clock);
    this.browsers = new RateLimiter<>(clock);
  }

  /**
   * @throws ProblemException 4.29 with Max-Age when too many attempts have failed
   */
  void require(Attempt attempt) {
    if (attempt.browser != null) {
      long seconds = browsers.secondsUntilAllowed(attempt.browser, 1, BY_BROWSER);
      refuseFor(seconds, "too many wrong passwords in this browser; wait, then try again");
      return;
    }
    refuseFor(
        sources.secondsUntilAllowed(attempt.source),
        "too many wrong passwords from this address; wait, then try again");
    refuseFor(
        accounts.secondsUntilAllowed(attempt.account, 1, BY_ACCOUNT),
        "too many wrong passwords for this account; wait, or sign in with a browser that it has"
            + " used before");
  }

  private static void refuseFor(long seconds, String why) {
    if (seconds > 0) {
      throw new ProblemException(ProblemType.TOO_MANY_REQUESTS, why, seconds);
    }
  }

  /** Counts a wrong password. */
  void failed(Attempt attempt) {
    if (attempt.browser == null) {
      sources.failed(attempt.source);
      accounts.charge(attempt.account, 1, BY_ACCOUNT);
    } else {
      browsers.charge(attempt.browser, 1, BY_BROWSER);
    }
    if (accounts.secondsUntilAllowed(attempt.account, 1, BY_ACCOUNT) > 0) {
      log.warn(
          "too many wrong passwords for account {}, the last one from {}: for a while it can sign"
              + " in only with browsers that it has used before",
          attempt.account,
          attempt.source.getHostAddress());
    }
  }
}
