package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.SourceAddress;
import java.net.InetAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts failed authentication attempts by source address and minute. */
final class FailedAttemptLimiter {
  private static final Logger log = LoggerFactory.getLogger(FailedAttemptLimiter.class);
  private static final int MAX_PER_MINUTE = 10;
  private static final long MINUTE_MILLIS = 60_000;
  private static final int MAX_SOURCES = 10_000;

  private final Clock clock;

  /** Guarded by itself. */
  private final Map<SourceAddress, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SourceAddress, Count> eldest) {
          return size() > MAX_SOURCES;
        }
      };

  /**
   * @param since start of the minute, unix time in milliseconds
   */
  private record Count(long since, int failed) {}

  FailedAttemptLimiter(Clock clock) {
    this.clock = clock;
  }

  /**
   * @throws ErrorResponseException 4.29 with Max-Age when there were too many in the minute
   */
  void failed(InetAddress source) {
    long now = clock.millis();
    Count count;
    synchronized (counts) {
      count =
          counts.compute(
              SourceAddress.of(source),
              (address, before) ->
                  before == null || now - before.since >= MINUTE_MILLIS || now < before.since
                      ? new Count(now, 1)
                      : new Count(before.since, before.failed + 1));
    }
    if (count.failed > MAX_PER_MINUTE) {
      if (count.failed == MAX_PER_MINUTE + 1) {
        log.warn(
            "{} sent more than {} wrong tokens within a minute",
            source.getHostAddress(),
            MAX_PER_MINUTE);
      }
      throw new ErrorResponseException(
          Code.TOO_MANY_REQUESTS,
          "too many wrong credentials from this address",
          1 + (count.since + MINUTE_MILLIS - now) / 1000);
    }
  }
}
