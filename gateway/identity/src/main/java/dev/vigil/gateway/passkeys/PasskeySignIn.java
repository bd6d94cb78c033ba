package dev.vigil.gateway.passkeys;

import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.gateway.access.FailedAttemptLimiter;
import dev.vigil.gateway.accounts.PasskeyRecord;
import dev.vigil.gateway.accounts.Passkeys;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.passkeys.PasskeyRefusedException.Reason;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.signin.SignIn;
import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Signs in with a passkey alone or after the password. Wrong passwords do not lock out passkeys.
 * Failed passkeys count only against the address and do not lock out accounts.
 */
@Component
final class PasskeySignIn {
  private static final Logger log = LoggerFactory.getLogger(PasskeySignIn.class);

  /**
   * The number of attempts to store a new counter while the same passkey also signs in elsewhere.
   */
  private static final int MAX_TRIES = 4;

  private final Passkeys passkeys;
  private final SignIn signIn;
  private final Ceremonies ceremonies;
  private final FailedAttemptLimiter failures;
  private final Clock clock;

  /**
   * A pending sign-in.
   *
   * @param allowed the passkeys that may answer; empty: any
   */
  record Begun(String challenge, List<Versioned<PasskeyRecord>> allowed) {}

  PasskeySignIn(Passkeys passkeys, SignIn signIn, Ceremonies ceremonies, Clock clock) {
    this.passkeys = passkeys;
    this.signIn = signIn;
    this.ceremonies = ceremonies;
    this.failures = new FailedAttemptLimiter(clock);
    this.clock = clock;
  }

  /**
   * Begins to sign in with a passkey alone.
   *
   * @throws ProblemException 4.29 or 5.03 after too many sign-ins
   */
  Begun begin(RelyingParty party, InetAddress source) {
    Source stranger = Source.of(Standing.VERIFIED, source);
    return new Begun(ceremonies.begin(new Purpose.SignIn(), party, stranger), List.of());
  }

  /**
   * Begins to sign in with a passkey in addition to the password.
   *
   * @throws ProblemException as {@link SignIn#require}; 4.09 when the account has no passkey for
   *     the host name
   */
  Begun begin(String name, String password, RelyingParty party, SignInContext context) {
    SignIn.Verified verified = signIn.require(name, password, context);
    List<Versioned<PasskeyRecord>> own = passkeys.of(verified.account(), party.id());
    if (own.isEmpty()) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "the account has no passkey for %s: open the gateway by the passkey's host name, or"
                  .formatted(party.id())
              + " ask an administrator");
    }
    Source source = Source.of(Standing.AUTHENTICATED, context.source());
    Purpose purpose = new Purpose.SecondFactor(verified.account(), verified.credentials());
    return new Begun(ceremonies.begin(purpose, party, source), own);
  }

  /**
   * Begins a session.
   *
   * @throws ProblemException 4.01 when the answer is not accepted, 4.29 after too many refused
   *     answers
   */
  SignIn.Begun finish(PasskeyAnswerJson answer, RelyingParty party, SignInContext context) {
    long seconds = failures.secondsUntilAllowed(context.source());
    if (seconds > 0) {
      throw new ProblemException(
          ProblemType.TOO_MANY_REQUESTS,
          "too many passkeys from this address were refused; wait, then try again",
          seconds);
    }
    try {
      Ceremonies.Assertion assertion = ceremonies.read(answer, party);
      if (assertion.challenge().purpose()
          instanceof Purpose.SecondFactor(String account, String credentials)) {
        SignIn.Verified password = new SignIn.Verified(account, credentials);
        requirePresent(password);
        return signIn.begin(password, verified(assertion, party, context).name(), context);
      }
      Used used = verified(assertion, party, context);
      return signIn.begin(used.account(), used.name(), context);
    } catch (PasskeyRefusedException e) {
      failures.failed(context.source());
      // The operator can fix these causes, such as a proxy that hides the host.
      if (e.reason() == Reason.INVALID) {
        log.warn(
            "refused a passkey from {}: {}", context.source().getHostAddress(), e.getMessage());
      }
      throw new ProblemException(
          ProblemType.WRONG_PASSKEY,
          e.reason() == Reason.NOT_BEGUN
              ? "the sign-in took too long, was already answered, or the password has changed:"
                  + " begin again"
              : "the passkey is not accepted here; use another way to sign in");
    }
  }

  /** Refuses a sign-in whose password was replaced after it began. */
  private void requirePresent(SignIn.Verified password) throws PasskeyRefusedException {
    if (!signIn.isPresent(password)) {
      throw new PasskeyRefusedException(Reason.NOT_BEGUN, "the password has changed meanwhile");
    }
  }

  /**
   * A passkey that was used.
   *
   * @param account its account before the verification
   */
  private record Used(String name, SignIn.Verified account) {}

  private Used verified(Ceremonies.Assertion assertion, RelyingParty party, SignInContext context)
      throws PasskeyRefusedException {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Versioned<PasskeyRecord> passkey = named(assertion, party);
      SignIn.Verified account =
          signIn
              .present(passkey.value().account())
              .orElseThrow(() -> new PasskeyRefusedException(Reason.INVALID, "no such account"));
      PasskeyRecord after;
      try {
        after = ceremonies.verify(assertion, passkey.value());
      } catch (PasskeyRefusedException e) {
        if (e.reason() == Reason.COUNTER) {
          keepRegress(passkey, e, context.source());
        }
        throw e;
      }
      if (passkeys.used(passkey, after, Audit.UNRECORDED)) {
        return new Used(passkey.value().name(), account);
      }
    }
    throw new PasskeyRefusedException(
        Reason.INVALID, "too many sign-ins with the passkey at the same time");
  }

  /** Returns the passkey that an answer names, if it may answer this challenge. */
  private Versioned<PasskeyRecord> named(Ceremonies.Assertion assertion, RelyingParty party)
      throws PasskeyRefusedException {
    Versioned<PasskeyRecord> passkey =
        passkeys
            .usable(assertion.id())
            .filter(known -> known.value().host().equals(party.id()))
            .orElseThrow(() -> new PasskeyRefusedException(Reason.INVALID, "no such passkey"));
    String handle = passkey.value().handle();
    boolean permitted =
        switch (assertion.challenge().purpose()) {
          case Purpose.SignIn() -> assertion.isOf(handle, true);
          case Purpose.SecondFactor(String account, String _) ->
              passkey.value().account().equals(account) && assertion.isOf(handle, false);
          case Purpose.Registration _ -> false;
        };
    if (!permitted) {
      throw new PasskeyRefusedException(Reason.INVALID, "the passkey belongs to another account");
    }
    return passkey;
  }

  private void keepRegress(
      Versioned<PasskeyRecord> passkey, PasskeyRefusedException e, InetAddress source) {
    PasskeyRecord record = passkey.value();
    String what =
        "refused passkey %s of %s from %s: %s"
            .formatted(record.name(), record.account(), source.getHostAddress(), e.getMessage());
    passkeys.used(passkey, record.regressed(clock.instant()), new Audit("gateway", what, ""));
    log.warn(
        "passkey {} of account {} was used from {} with an older signature counter: it may have been"
            + " copied; its user should remove it",
        record.name(),
        record.account(),
        source.getHostAddress());
  }
}
