package dev.vigil.mirror.limits;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.limits.RateLimiter;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.SourceRateLimiter;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import java.time.Clock;

/**
 * Rate limits for each source and domain (failed signature checks, new names and, if the domain
 * limits them, updates) and for each key (registrations).
 *
 * <p>Beyond the limit of failed checks, an unverified source gets an Echo challenge (RFC 9175)
 * before another signature is checked. A verified source has to wait.
 */
public final class AbuseLimits {
  /**
   * Number of single-source limits that all unverified sources together may use for failed checks.
   * With the default limit this is fifty signature checks a second, a small part of one processor.
   */
  private static final int UNVERIFIED_FACTOR = 100;

  private final SourceRateLimiter failures;
  private final SourceRateLimiter names;
  private final SourceRateLimiter updates;

  /** For all unverified sources together, by domain, because their addresses can be forged. */
  private final RateLimiter<String> unverifiedFailures;

  private final RateLimiter<String> unverifiedNames;

  /** By thumbprint. */
  private final RateLimiter<String> registrations;

  public AbuseLimits(Clock clock) {
    failures = new SourceRateLimiter(clock);
    names = new SourceRateLimiter(clock);
    updates = new SourceRateLimiter(clock);
    unverifiedFailures = new RateLimiter<>(clock);
    unverifiedNames = new RateLimiter<>(clock);
    registrations = new RateLimiter<>(clock);
  }

  /**
   * Must be called before a signature is checked.
   *
   * @throws RequestRefused 4.01 with an Echo challenge to an unverified source; 4.29 to a verified
   *     source
   */
  public void requireFailuresBelowLimit(Caller caller, Domain domain) {
    Rate rate = Rate.perMinute(domain.limits().failuresPerMinute());
    long seconds = failures.secondsUntilAllowed(Source.of(caller), domain.name(), rate);
    if (seconds > 0 && caller.verified()) {
      throw new RequestRefused(
          Reason.TOO_FAST, "too many invalid signatures from this source", seconds);
    }
    if (seconds > 0
        || !caller.verified() && !unverifiedFailures.allows(domain.name(), shared(domain))) {
      throw addressUnproven();
    }
  }

  private static Rate shared(Domain domain) {
    return Rate.perMinute((double) UNVERIFIED_FACTOR * domain.limits().failuresPerMinute());
  }

  /** 4.01; the CoAP server adds the Echo option. */
  public static RequestRefused addressUnproven() {
    return new RequestRefused(Reason.ADDRESS_UNPROVEN, "prove your source address (Echo)");
  }

  /** Counts a failed signature check. */
  public void chargeFailure(Caller caller, Domain domain) {
    Rate rate = Rate.perMinute(domain.limits().failuresPerMinute());
    failures.charge(Source.of(caller), domain.name(), 1, rate);
    if (!caller.verified()) {
      unverifiedFailures.charge(domain.name(), 1, shared(domain));
    }
  }

  /**
   * Checks the limit of accepted updates from one source over all its endpoints.
   *
   * @throws RequestRefused 4.29
   */
  public void requireUpdatesBelowLimit(Caller caller, Domain domain) {
    int limit = domain.limits().updatesPerMinutePerSource();
    if (limit == 0) {
      return;
    }
    long seconds =
        updates.secondsUntilAllowed(Source.of(caller), domain.name(), Rate.perMinute(limit));
    if (seconds > 0) {
      throw new RequestRefused(
          Reason.TOO_FAST, "at most " + limit + " updates a minute from one source", seconds);
    }
  }

  public void chargeUpdate(Caller caller, Domain domain) {
    int limit = domain.limits().updatesPerMinutePerSource();
    if (limit > 0) {
      updates.charge(Source.of(caller), domain.name(), 1, Rate.perMinute(limit));
    }
  }

  /**
   * Counts a registration by a key whose possession is proven. No other client can therefore use up
   * the limit of the key.
   *
   * @throws RequestRefused 4.29
   */
  public void chargeRegistration(RegistrationRequest registration) {
    int limit = registration.domain().limits().registrationsPerMinute();
    Rate rate = Rate.perMinute(limit);
    long seconds = registrations.secondsUntilAllowed(registration.jkt(), 1, rate);
    if (seconds > 0) {
      throw new RequestRefused(
          Reason.TOO_FAST, "at most " + limit + " registrations a minute", seconds);
    }
    registrations.charge(registration.jkt(), 1, rate);
  }

  /**
   * Counts a new endpoint name. All unverified sources together have the limit of one source.
   *
   * @throws RequestRefused 4.29; 4.01 to an unverified source
   */
  public void chargeNewName(Caller caller, Domain domain) {
    Rate rate = Rate.perMinute(domain.limits().namesPerMinute());
    if (!caller.verified()) {
      if (!unverifiedNames.allows(domain.name(), rate)) {
        throw addressUnproven();
      }
      unverifiedNames.charge(domain.name(), 1, rate);
      return;
    }
    long seconds = names.tryCharge(Source.of(caller), domain.name(), rate);
    if (seconds > 0) {
      throw new RequestRefused(Reason.TOO_FAST, "too many new names from this source", seconds);
    }
  }
}
