package dev.vigil.mirror.limits;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import java.time.Clock;
import java.util.Comparator;

/**
 * Rate limits for each source address and domain (failed signature checks, new names and, where the
 * domain says so, updates) and for each key (registrations).
 *
 * <p>Beyond the limit of failed checks an unverified source gets an Echo challenge (RFC 9175)
 * before another signature is checked; a verified source has to wait.
 */
public final class AbuseLimits {
  /**
   * A source in one domain. Each domain has limits and counts of its own. What unverified senders
   * do is not charged to a verified one of the same address: the address may be forged.
   */
  private record Source(SourceAddress address, boolean verified, String domain)
      implements Comparable<Source> {
    private static final Comparator<Source> ORDER =
        Comparator.comparing(Source::address)
            .thenComparing(Source::verified)
            .thenComparing(Source::domain);

    /** Shared by all unverified sources, since their addresses can be forged. */
    private static final SourceAddress UNVERIFIED = new SourceAddress(0, 0);

    static Source of(Caller caller, Domain domain) {
      return new Source(SourceAddress.of(caller), caller.verified(), domain.name());
    }

    /** The source of a verified caller; else the one that all unverified sources share. */
    static Source verifiedOrShared(Caller caller, Domain domain) {
      return caller.verified() ? of(caller, domain) : new Source(UNVERIFIED, false, domain.name());
    }

    /** Keeps lookups in a hash bin logarithmic when addresses are chosen to collide. */
    @Override
    public int compareTo(Source other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * Limits of a single source that all unverified sources together may use in failed checks. With
   * the default limit that is fifty signature checks a second, a small part of one processor.
   */
  private static final int UNVERIFIED_FACTOR = 100;

  private final RateLimiter<Source> failures;
  private final RateLimiter<Source> names;
  private final RateLimiter<Source> updates;
  private final RateLimiter<String> registrations;

  public AbuseLimits(Clock clock) {
    failures = new RateLimiter<>(clock);
    names = new RateLimiter<>(clock);
    updates = new RateLimiter<>(clock);
    registrations = new RateLimiter<>(clock);
  }

  /**
   * To be called before a signature is checked.
   *
   * @throws RequestRefused 4.01, which an unverified source gets with an Echo challenge; 4.29 to a
   *     verified source
   */
  public void requireFailuresBelowLimit(Caller caller, Domain domain) {
    int limit = domain.limits().failuresPerMinute();
    if (!failures.allows(Source.of(caller, domain), limit)) {
      if (caller.verified()) {
        throw new RequestRefused(
            Reason.TOO_FAST,
            "too many invalid signatures from this source",
            failures.retryAfterSeconds(limit));
      }
      throw addressUnproven();
    }
    if (!caller.verified()
        && !failures.allows(Source.verifiedOrShared(caller, domain), sharedLimit(limit))) {
      throw addressUnproven();
    }
  }

  private static int sharedLimit(int limit) {
    return Math.clamp((long) UNVERIFIED_FACTOR * limit, 0, Integer.MAX_VALUE);
  }

  /** 4.01; the CoAP server adds the Echo option. */
  public static RequestRefused addressUnproven() {
    return new RequestRefused(Reason.ADDRESS_UNPROVEN, "prove your source address (Echo)");
  }

  /** Counts a failed signature check. */
  public void chargeFailure(Caller caller, Domain domain) {
    int limit = domain.limits().failuresPerMinute();
    failures.charge(Source.of(caller, domain), limit);
    if (!caller.verified()) {
      failures.charge(Source.verifiedOrShared(caller, domain), sharedLimit(limit));
    }
  }

  /**
   * Checks the limit of accepted updates from one source, over all its endpoints.
   *
   * @throws RequestRefused 4.29
   */
  public void requireUpdatesBelowLimit(Caller caller, Domain domain) {
    int limit = domain.limits().updatesPerMinutePerSource();
    if (limit > 0 && !updates.allows(Source.of(caller, domain), limit)) {
      throw new RequestRefused(
          Reason.TOO_FAST,
          "at most " + limit + " updates a minute from one source",
          updates.retryAfterSeconds(limit));
    }
  }

  public void chargeUpdate(Caller caller, Domain domain) {
    int limit = domain.limits().updatesPerMinutePerSource();
    if (limit > 0) {
      updates.charge(Source.of(caller, domain), limit);
    }
  }

  /**
   * Counts a registration by a key whose possession is proven, so that nobody else can use up its
   * limit.
   *
   * @throws RequestRefused 4.29
   */
  public void chargeRegistration(RegistrationRequest registration) {
    int limit = registration.domain().limits().registrationsPerMinute();
    if (!registrations.allows(registration.jkt(), limit)) {
      throw new RequestRefused(
          Reason.TOO_FAST,
          "at most " + limit + " registrations a minute",
          registrations.retryAfterSeconds(limit));
    }
    registrations.charge(registration.jkt(), limit);
  }

  /**
   * Counts a new endpoint name. All unverified sources together have the limit of one source.
   *
   * @throws RequestRefused 4.29; 4.01 to an unverified source
   */
  public void chargeNewName(Caller caller, Domain domain) {
    int limit = domain.limits().namesPerMinute();
    Source source = Source.verifiedOrShared(caller, domain);
    if (!names.allows(source, limit)) {
      if (!caller.verified()) {
        throw addressUnproven();
      }
      throw new RequestRefused(
          Reason.TOO_FAST, "too many new names from this source", names.retryAfterSeconds(limit));
    }
    names.charge(source, limit);
  }
}
