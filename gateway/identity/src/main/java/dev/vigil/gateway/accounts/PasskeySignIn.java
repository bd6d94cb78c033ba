package dev.vigil.gateway.accounts;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.RateLimiter;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.coap.limits.SourceRateLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.webauthn.AssertionAnswer;
import dev.vigil.gateway.webauthn.Ceremonies;
import dev.vigil.gateway.webauthn.Credential;
import dev.vigil.gateway.webauthn.PasskeyRefusedException;
import dev.vigil.gateway.webauthn.PasskeyRefusedException.Reason;
import dev.vigil.gateway.webauthn.Purpose;
import dev.vigil.gateway.webauthn.RelyingParty;
import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs in with passkeys: with one alone, or with one after the password. Wrong passwords lock no
 * passkey out, and failed passkeys no account: they count against the address alone.
 */
final class PasskeySignIn {
  private static final Logger log = LoggerFactory.getLogger(PasskeySignIn.class);
  private static final Rate FAILURES = Rate.perMinute(10);
  private static final Rate LOG_LINES = Rate.perMinute(1);

  /** Tries to store a new counter while the same passkey signs in elsewhere, too. */
  private static final int MAX_TRIES = 4;

  private final Passkeys passkeys;
  private final SignIn signIn;
  private final Ceremonies ceremonies;
  private final SourceRateLimiter failures;
  private final RateLimiter<String> logLines;

  /**
   * A sign-in that has begun.
   *
   * @param allowed the passkeys that may answer; empty: any
   */
  record Begun(String challenge, List<Versioned<PasskeyRecord>> allowed) {}

  PasskeySignIn(Passkeys passkeys, SignIn signIn, Ceremonies ceremonies, Clock clock) {
    this.passkeys = passkeys;
    this.signIn = signIn;
    this.ceremonies = ceremonies;
    this.failures = new SourceRateLimiter(clock);
    this.logLines = new RateLimiter<>(clock);
  }

  /**
   * Begins to sign in with a passkey alone.
   *
   * @throws ErrorResponseException 4.29 or 5.03 after too many
   */
  Begun begin(RelyingParty party, InetAddress source) {
    Source stranger = Source.of(Standing.VERIFIED, source);
    return new Begun(ceremonies.begin(new Purpose.SignIn(), party, stranger), List.of());
  }

  /**
   * Begins to sign in with a passkey besides the password.
   *
   * @throws ErrorResponseException as {@link SignIn#require}; 4.09 when the account has no passkey
   *     for the host name
   */
  Begun begin(String name, String password, RelyingParty party, Place place) {
    String account = signIn.require(name, password, place);
    List<Versioned<PasskeyRecord>> own = passkeys.of(account, party.id());
    if (own.isEmpty()) {
      throw new ErrorResponseException(
          Code.CONFLICT,
          "the account has no passkey for %s: open the gateway by the name for which it was made, or"
                  .formatted(party.id())
              + " ask an administrator");
    }
    Source source = Source.of(Standing.AUTHENTICATED, place.source());
    return new Begun(ceremonies.begin(new Purpose.SecondFactor(account), party, source), own);
  }

  /**
   * Begins a session.
   *
   * @throws ErrorResponseException 4.01 when the answer is not accepted, 4.29 after too many
   */
  SignIn.Begun finish(AssertionAnswer answer, RelyingParty party, Place place) {
    Source source = Source.of(Standing.VERIFIED, place.source());
    long seconds = failures.secondsUntilAllowed(source, SourceRateLimiter.ANY_SCOPE, FAILURES);
    if (seconds > 0) {
      throw new ProblemException(
          ProblemType.TOO_MANY_REQUESTS,
          "too many passkeys from this address were refused; wait, then try again",
          seconds);
    }
    try {
      Ceremonies.Assertion assertion = ceremonies.read(answer, party);
      PasskeyRecord used = verified(assertion, party, place);
      return signIn.begin(used.account(), used.name(), place);
    } catch (PasskeyRefusedException e) {
      failures.charge(source, SourceRateLimiter.ANY_SCOPE, 1, FAILURES);
      tell(e, place.source());
      throw new ProblemException(
          ProblemType.WRONG_PASSKEY,
          e.reason() == Reason.NOT_BEGUN
              ? "the sign-in took too long, or was answered before: begin again"
              : "the passkey is not accepted here; sign in another way");
    }
  }

  private PasskeyRecord verified(Ceremonies.Assertion assertion, RelyingParty party, Place place)
      throws PasskeyRefusedException {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Versioned<PasskeyRecord> passkey = named(assertion, party);
      Credential after;
      try {
        after = assertion.verify(passkey.value().credential(passkey.id()));
      } catch (PasskeyRefusedException e) {
        if (e.reason() == Reason.COUNTER) {
          keepRegress(passkey, e, place.source());
        }
        throw e;
      }
      if (passkeys.used(passkey, after)) {
        return passkey.value();
      }
    }
    throw new PasskeyRefusedException(Reason.INVALID, "the passkey is used too often at once");
  }

  /** The passkey that an answer names, if it may answer this challenge. */
  private Versioned<PasskeyRecord> named(Ceremonies.Assertion assertion, RelyingParty party)
      throws PasskeyRefusedException {
    Versioned<PasskeyRecord> passkey =
        passkeys
            .usable(assertion.id())
            .filter(known -> known.value().host().equals(party.id()))
            .orElseThrow(() -> new PasskeyRefusedException(Reason.INVALID, "no such passkey"));
    String handle = passkey.value().handle();
    boolean permitted =
        switch (assertion.purpose()) {
          case Purpose.SignIn() -> assertion.userHandle().filter(handle::equals).isPresent();
          case Purpose.SecondFactor(String account) ->
              passkey.value().account().equals(account)
                  && assertion.userHandle().map(handle::equals).orElse(true);
          case Purpose.Registration _ -> false;
        };
    if (!permitted) {
      throw new PasskeyRefusedException(Reason.INVALID, "the passkey is of another account");
    }
    return passkey;
  }

  private void keepRegress(
      Versioned<PasskeyRecord> passkey, PasskeyRefusedException e, InetAddress source) {
    PasskeyRecord record = passkey.value();
    String what =
        "refused passkey %s of %s from %s: %s"
            .formatted(record.name(), record.account(), source.getHostAddress(), e.getMessage());
    passkeys.regressed(passkey, new Audit("gateway", what, ""));
    log.warn(
        "passkey {} of account {} was used from {} with an older signature counter: it may have been"
            + " copied; its user should remove it",
        record.name(),
        record.account(),
        source.getHostAddress());
  }

  /** Logs what an operator can mend, such as a proxy that hides the host. */
  private void tell(PasskeyRefusedException e, InetAddress source) {
    String kind = e.reason().name();
    if (e.reason() == Reason.INVALID && logLines.allows(kind, LOG_LINES)) {
      logLines.charge(kind, 1, LOG_LINES);
      log.warn("refused a passkey from {}: {}", source.getHostAddress(), e.getMessage());
    }
  }
}
