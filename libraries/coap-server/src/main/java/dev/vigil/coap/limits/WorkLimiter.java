package dev.vigil.coap.limits;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.RateLimiter.Rate;
import java.time.Clock;
import java.time.Duration;

/**
 * Bounds the work that strangers cause with costly requests, for each source and for all unverified
 * sources together. A request is admitted before its work and afterwards charged with its cost in
 * octets read. A processor reads some 100 MB of links a second.
 *
 * <p>Callers in trusted networks or with a proven identity are not limited.
 */
public final class WorkLimiter {
  /** A twentieth of a processor in the long run, half a second of it at once. */
  static final Rate BY_SOURCE = new Rate(50e6, Duration.ofSeconds(10));

  /** A lower limit for all unverified sources together, which get only small answers. */
  private static final Rate UNVERIFIED = new Rate(10e6, Duration.ofSeconds(10));

  private final SourceRateLimiter sources;
  private final RateLimiter<String> unverified;

  public WorkLimiter(Clock clock) {
    this.sources = new SourceRateLimiter(clock);
    this.unverified = new RateLimiter<>(clock);
  }

  /**
   * Must be called before the work.
   *
   * @throws ErrorResponseException 4.01 to an unverified source, which then gets an Echo challenge;
   *     4.29 with Max-Age to others
   */
  public void requireAllowed(Caller caller) {
    if (isUnlimited(caller)) {
      return;
    }
    if (!caller.verified()) {
      if (!unverified.allows(SourceRateLimiter.ANY_SCOPE, UNVERIFIED)) {
        throw echoRequired();
      }
      return;
    }
    long seconds =
        sources.secondsUntilAllowed(Source.of(caller), SourceRateLimiter.ANY_SCOPE, BY_SOURCE);
    if (seconds > 0) {
      throw new ErrorResponseException(
          Code.TOO_MANY_REQUESTS, "too many large requests from this network", seconds);
    }
  }

  /**
   * As {@link #requireAllowed}, for requests that only make sense if the answer may be large.
   *
   * @throws ErrorResponseException 4.01 to any unverified source, else as {@link #requireAllowed}
   */
  public void requireVerified(Caller caller) {
    if (!caller.verified()) {
      throw echoRequired();
    }
    requireAllowed(caller);
  }

  /** 4.01; the CoAP server adds the Echo option. */
  private static ErrorResponseException echoRequired() {
    return new ErrorResponseException(Code.UNAUTHORIZED, "repeat with Echo");
  }

  /**
   * Must be called after the work, even if it was aborted.
   *
   * @param octets cost of the work
   */
  public void charge(Caller caller, long octets) {
    if (octets <= 0 || isUnlimited(caller)) {
      return;
    }
    if (caller.verified()) {
      sources.charge(Source.of(caller), SourceRateLimiter.ANY_SCOPE, octets, BY_SOURCE);
    } else {
      unverified.charge(SourceRateLimiter.ANY_SCOPE, octets, UNVERIFIED);
    }
  }

  /**
   * Whether a caller may cause unlimited work: it is in a trusted network or has a proven identity.
   */
  public static boolean isUnlimited(Caller caller) {
    return caller.trusted() || Source.standing(caller) == Source.Standing.AUTHENTICATED;
  }
}
