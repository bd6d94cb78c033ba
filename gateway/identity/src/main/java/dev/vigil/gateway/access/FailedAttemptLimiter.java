package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.coap.limits.SourceRateLimiter;
import java.net.InetAddress;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits failed authentication attempts by source. */
public final class FailedAttemptLimiter {
  private static final Logger log = LoggerFactory.getLogger(FailedAttemptLimiter.class);
  private static final int MAX_PER_MINUTE = 10;
  private static final Rate FAILURES = Rate.perMinute(MAX_PER_MINUTE);

  /** At most one line a minute for each source. */
  private static final Rate LOG_LINES = Rate.perMinute(1);

  private final SourceRateLimiter failures;
  private final SourceRateLimiter logLines;

  public FailedAttemptLimiter(Clock clock) {
    this.failures = new SourceRateLimiter(clock);
    this.logLines = new SourceRateLimiter(clock);
  }

  /**
   * Counts a failed attempt.
   *
   * @throws ErrorResponseException 4.29 with Max-Age when there were too many in the last minute
   */
  public void failed(InetAddress address) {
    Source source = Source.of(Standing.VERIFIED, address);
    long seconds = failures.tryCharge(source, SourceRateLimiter.ANY_SCOPE, FAILURES);
    if (seconds > 0) {
      if (logLines.tryCharge(source, SourceRateLimiter.ANY_SCOPE, LOG_LINES) == 0) {
        log.warn(
            "{} sent more than {} wrong tokens within a minute",
            address.getHostAddress(),
            MAX_PER_MINUTE);
      }
      throw new ErrorResponseException(
          Code.TOO_MANY_REQUESTS, "too many wrong credentials from this address", seconds);
    }
  }
}
