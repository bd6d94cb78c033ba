package dev.vigil.gateway.access;

import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.coap.limits.SourceRateLimiter;
import java.net.InetAddress;
import java.time.Clock;

/** Limits failed attempts of one authentication method to ten per minute and address. */
public final class FailedAttemptLimiter {
  private static final Rate FAILURES = Rate.perMinute(10);

  private final SourceRateLimiter failures;

  public FailedAttemptLimiter(Clock clock) {
    this.failures = new SourceRateLimiter(clock);
  }

  /** Seconds until an address may try again; 0: now. */
  public long secondsUntilAllowed(InetAddress address) {
    return failures.secondsUntilAllowed(source(address), SourceRateLimiter.ANY_SCOPE, FAILURES);
  }

  /** Counts a failed attempt. */
  public void failed(InetAddress address) {
    failures.charge(source(address), SourceRateLimiter.ANY_SCOPE, 1, FAILURES);
  }

  private static Source source(InetAddress address) {
    return Source.of(Standing.VERIFIED, address);
  }
}
