package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.RateLimiter;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.SourceRateLimiter;
import java.time.Clock;
import java.time.Duration;

/**
 * Limits registrations, updates and removals by source. All unverified sources together have the
 * limit of one source, because their addresses can be forged. Safe for use by any number of
 * threads.
 */
final class ChangeLimiter {
  private final Rate rate;
  private final SourceRateLimiter sources;
  private final RateLimiter<String> unverified;

  /**
   * @param perSecond changes of one address
   * @param burstSeconds time over which unused changes accumulate
   */
  ChangeLimiter(int perSecond, int burstSeconds, Clock clock) {
    this.rate = new Rate((double) perSecond * burstSeconds, Duration.ofSeconds(burstSeconds));
    this.sources = new SourceRateLimiter(clock);
    this.unverified = new RateLimiter<>(clock);
  }

  /**
   * Counts one change.
   *
   * @throws ErrorResponseException 4.29 with Max-Age if the source made too many changes; 4.01 with
   *     an Echo challenge if the unverified sources together did
   */
  void charge(Caller caller) {
    if (caller.verified()) {
      long seconds = sources.tryCharge(Source.of(caller), SourceRateLimiter.ANY_SCOPE, rate);
      if (seconds > 0) {
        throw new ErrorResponseException(
            Code.TOO_MANY_REQUESTS, "too many changes from this address", seconds);
      }
      return;
    }
    if (!unverified.allows(SourceRateLimiter.ANY_SCOPE, rate)) {
      throw new ErrorResponseException(Code.UNAUTHORIZED, "repeat with Echo");
    }
    unverified.charge(SourceRateLimiter.ANY_SCOPE, 1, rate);
  }
}
